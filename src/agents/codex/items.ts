import {reportIncomplete, type Draft} from '../../core/events/adapter.ts'
import {readPlan} from '../../core/events/plan.ts'
import {textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createAgentTracker} from './sub-agents.ts'
import {isToolCall, readToolEnd, readToolStart, type ToolStart} from './tools.ts'
import {readTrouble} from './errors.ts'

/** Reads the items of a thread: what is said and done in it. */
export interface ItemReader {
  read(item: JsonObject, isDone: boolean): Draft[]
  /** Another session begins, which counts its items anew. */
  reset(): void
  /** What was held back when the stream ended. */
  end(): Draft[]
}

/** Makes a reader. */
export function createItemReader(): ItemReader {
  const agents = createAgentTracker()
  /** Searches whose query is not told yet. */
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
          return [{type: SPEECH[type], text, messageId: textAt(item, 'id')}]
        case 'todo_list':
          return readTodos(item)
        case 'error':
          return isDone ? [readTrouble(toText(item['message']))] : []
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

  /** The last one comes once more when the turn is over. */
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
    // What is still running at the end of the turn is told as completed, in progress.
    if (!isDone || item['status'] === 'in_progress') {
      // A search starts without its query, which is all there is to know of it.
      if (item['type'] !== 'web_search' || textAt(item, 'query')) return [start]
      searches.set(toolId, start)
      return []
    }
    searches.delete(toolId)
    const drafts = [start, ...readToolEnd(item, start)]
    return item['type'] === 'collab_tool_call' ? [...drafts, ...agents.read(item, toolId)] : drafts
  }
}

const SPEECH = {agent_message: 'text', reasoning: 'thinking'} as const
