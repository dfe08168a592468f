import {readPlan} from '../../../src/core/events/plan.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import {Failure} from './failure.tsx'
import {OtherBody} from './other-body.tsx'
import {TextBox} from './text-box.tsx'
import {Todo} from './todo.tsx'
import type {ToolCall} from './tool-call.ts'

const LISTS = ['todos', 'plan', 'items', 'tasks', 'todo_list']

/** The plan in the input of a tool: the list at that time. */
export function TodoBody(call: ToolCall) {
  const {input, output, ok} = call
  const items = isRecord(input)
    ? LISTS.map((name) => readPlan(input[name])).find((list) => list !== undefined)
    : undefined
  if (items === undefined) return <OtherBody {...call} />
  return (
    <>
      <Todo items={items} />
      <Failure {...call} />
      {ok === false && output !== '' && <TextBox text={output} label="Why it failed" isFailed />}
    </>
  )
}
