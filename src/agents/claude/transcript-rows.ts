import {textAt, type JsonObject} from '../../core/wire/json.ts'
import {blocksOf, outputText} from '../messages-api/content.ts'

/** Whether a row of a transcript belongs to the conversation. The others repeat requests or contain settings. */
export function isConversationRow({type}: JsonObject): boolean {
  return type === 'user' || type === 'assistant' || type === 'system'
}

/** Whether a row reports that the user interrupted the agent. */
export function isInterruption(row: JsonObject): boolean {
  if (row['type'] !== 'user') return false
  return blocksOf(row).some(
    (block) => block['type'] === 'text' && textAt(block, 'text')?.startsWith(INTERRUPTION) === true,
  )
}

const INTERRUPTION = '[Request interrupted by user'

/** Whether a result reports that its call was denied: newer versions have a field for it, older ones only the text. */
export function isRefusal(row: JsonObject, result: JsonObject): boolean {
  if (row['toolDenialKind'] !== undefined) return true
  return result['is_error'] === true && REJECTED.test(outputText(result['content']).slice(0, 100))
}

const REJECTED = /^The user doesn't want to (?:proceed with|take) this (?:tool use|action)/

/** The ids of the denied calls of a row. */
export function refusedCalls(row: JsonObject): string[] {
  if (row['type'] !== 'user') return []
  return blocksOf(row).flatMap((block) => {
    const toolId = textAt(block, 'tool_use_id')
    return toolId !== undefined && isRefusal(row, block) ? [toolId] : []
  })
}

/** Whether a row is a prompt, and not a tool result, an interruption or a text of the program. */
export function isPrompt(row: JsonObject): boolean {
  if (row['isMeta'] === true || row['isSidechain'] === true) return false
  if (row['isCompactSummary'] === true || isInterruption(row)) return false
  return !blocksOf(row).some(({type}) => type === 'tool_result')
}
