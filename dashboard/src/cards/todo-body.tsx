import {readPlan} from '../../../src/core/events/plan.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import {FailureBox} from './failure.tsx'
import {OtherBody} from './other-body.tsx'
import {Todo} from './todo.tsx'
import type {ToolCall} from './tool-call.ts'

const LISTS = ['todos', 'plan', 'items', 'tasks', 'todo_list']

/** The plan in the input of a tool: the list at that time. */
export function TodoBody(call: ToolCall) {
  const {input} = call
  const items = isRecord(input)
    ? LISTS.map((name) => readPlan(input[name])).find((list) => list !== undefined)
    : undefined
  if (items === undefined) return <OtherBody {...call} />
  return (
    <>
      <Todo items={items} />
      <FailureBox {...call} />
    </>
  )
}
