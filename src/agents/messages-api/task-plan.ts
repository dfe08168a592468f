import type {Draft} from '../../core/events/adapter.ts'
import {readPlan} from '../../core/events/plan.ts'
import {objectAt, textAt} from '../../core/wire/json.ts'
import type {ToolResult} from './translate.ts'

/** Returns the plan after a result; nothing when it did not change. */
type TaskPlanReader = (result: Pick<ToolResult, 'tool' | 'line'>) => Draft[]

/** Creates a reader of the plan of newer versions of Claude Code, which change it one call at a time. */
export function createTaskPlanReader(): TaskPlanReader {
  const items = new Map<string, {text: string; status: string}>()
  return ({tool, line}) => {
    const task = objectAt(line['tool_use_result'], 'task')
    if (tool?.name === 'TaskCreate') return create(textAt(task, 'id'), textAt(task, 'subject'))
    return tool?.name === 'TaskUpdate' ? update(tool.input) : []
  }

  function create(id: string | undefined, text = ''): Draft[] {
    if (id === undefined) return []
    items.set(id, {text, status: 'pending'})
    return [toPlan()]
  }

  function update(input: unknown): Draft[] {
    const id = textAt(input, 'taskId') ?? ''
    const item = items.get(id)
    if (item === undefined) return []
    const {text, status} = item
    const change = textAt(input, 'status') ?? status
    if (change === 'deleted') items.delete(id)
    else items.set(id, {text: textAt(input, 'subject') ?? text, status: change})
    return [toPlan()]
  }

  function toPlan(): Draft {
    return {type: 'plan', items: readPlan([...items.values()]) ?? []}
  }
}
