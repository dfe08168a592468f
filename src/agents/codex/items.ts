import {reportIncomplete, type Draft} from '../../core/events/adapter.ts'
import {readPlan} from '../../core/events/plan.ts'
import {textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createAgentTracker} from './sub-agents.ts'
import {isToolCall, readToolEnd, readToolStart, type ToolStart} from './tools.ts'
import {readError} from './errors.ts'

/** Reads the items of a thread: texts, plans and tool calls. */
export interface ItemReader {
  read(item: JsonObject, isDone: boolean): Draft[]
  /** Another session begins: ids of items may occur again. */
  reset(): void
  /** The drafts that are still pending when the stream ends. */
  end(): Draft[]
}

/** Creates a reader for one stream. */
export function createItemReader(): ItemReader {
  const agents = createAgentTracker()
  /** Started searches without a query. */
  const searches = new Map<string, ToolStart>()
  let plan = ''

  return {
    read(item, isDone) {
      const {type} = item
      const text = textAt(item, 'text') ?? ''
      switch (type) {
        case 'agent_message':
        case 'reasoning':
          if (!isDone || text === '') return []
          return [{type: TEXT_KINDS[type], text, messageId: textAt(item, 'id')}]
        case 'todo_list':
          return readTodos(item)
        case 'error':
          return isDone ? [readError(toText(item['message']))] : []
        default:
          return readTool(item, isDone)
      }
    },
    reset() {
      agents.reset()
      searches.clear()
      plan = ''
    },
    end: () => [...searches.values()],
  }

  /** Codex repeats the last plan at the end of the turn. */
  function readTodos(item: JsonObject): Draft[] {
    const items = readPlan(item['items'])
    const written = toText(items)
    if (items === undefined || written === plan) return []
    plan = written
    return [{type: 'plan', items}]
  }

  function readTool(item: JsonObject, isDone: boolean): Draft[] {
    const start = readToolStart(item)
    if (start === undefined) {
      return isToolCall(item) ? [reportIncomplete(`${String(item['type'])} without id`)] : []
    }
    const {toolId} = start
    // A tool that still runs at the end of the turn is a completed item with this status.
    if (!isDone || item['status'] === 'in_progress') {
      // A search starts without its query: wait for it.
      if (item['type'] !== 'web_search' || textAt(item, 'query')) return [start]
      searches.set(toolId, start)
      return []
    }
    searches.delete(toolId)
    const drafts = [start, ...readToolEnd(item, start)]
    return item['type'] === 'collab_tool_call' ? [...drafts, ...agents.read(item, toolId)] : drafts
  }
}

const TEXT_KINDS = {agent_message: 'text', reasoning: 'thinking'} as const
