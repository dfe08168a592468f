import type {PlanItem} from '../../core/events/events.ts'
import {readPlan} from '../../core/events/plan.ts'
import {objectAt, textAt} from '../../core/wire/json.ts'
import type {ToolResult} from './translate.ts'

/** The plan of newer versions of Claude Code, which change it one call at a time. */
export interface TaskPlan {
  /** The plan after this result; `undefined` when it did not change. */
  read(result: Pick<ToolResult, 'tool' | 'line'>): PlanItem[] | undefined
}

/** Creates an empty plan. */
export function createTaskPlan(): TaskPlan {
  const items = new Map<string, {text: string; status: string}>()
  return {
    read({tool, line}) {
      const task = objectAt(line['tool_use_result'], 'task')
      if (tool?.name === 'TaskCreate') return create(textAt(task, 'id'), textAt(task, 'subject'))
      if (tool?.name === 'TaskUpdate') return update(tool.input)
      return undefined
    },
  }

  function create(id: string | undefined, text = ''): PlanItem[] | undefined {
    if (id === undefined) return undefined
    items.set(id, {text, status: 'pending'})
    return readPlan([...items.values()])
  }

  function update(input: unknown): PlanItem[] | undefined {
    const id = textAt(input, 'taskId') ?? ''
    const item = items.get(id)
    if (item === undefined) return undefined
    const {text, status} = item
    const change = textAt(input, 'status') ?? status
    if (change === 'deleted') items.delete(id)
    else items.set(id, {text: textAt(input, 'subject') ?? text, status: change})
    return readPlan([...items.values()])
  }
}
