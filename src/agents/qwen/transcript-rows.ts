import type {Tokens} from '../../core/events/events.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** The parts of the message of a row. */
export function partsOf({message}: JsonObject): JsonObject[] {
  return objectsAt(message, 'parts')
}

/** The text of a row, without thoughts. */
export function textOf(row: JsonObject): string {
  return partsOf(row)
    .flatMap((part) => (part['thought'] === true ? [] : (textAt(part, 'text') ?? [])))
    .join('')
}

/** The thoughts of an answer. */
export function thinkingOf(row: JsonObject): string {
  return partsOf(row)
    .flatMap((part) => (part['thought'] === true ? (textAt(part, 'text') ?? []) : []))
    .join('')
}

/** A tool call in an answer. */
export interface Call {
  id: string
  name: string
  input: unknown
}

/** The tool calls of an answer. */
export function callsOf(row: JsonObject): Call[] {
  return partsOf(row).flatMap((part) => {
    const call = objectAt(part, 'functionCall')
    const id = textAt(call, 'id')
    return id === undefined ? [] : [{id, name: textAt(call, 'name') ?? '', input: call['args']}]
  })
}

/** The prompt that the user typed; `undefined` for rows of the program and of sub-agents. */
export function promptOf(row: JsonObject): string | undefined {
  const {type, subtype} = row
  if (type !== 'user' || row['isSidechain'] === true) return undefined
  if (subtype !== undefined && !TYPED.has(subtype)) return undefined
  const shown = textAt(row['systemPayload'], 'displayText')?.trim() ?? ''
  if (shown !== '') return shown
  const parts = partsOf(row).flatMap((part) => textAt(part, 'text') ?? [])
  const typed = parts.filter((text) => !INJECTED.test(text)).join('')
  // The content of files that the prompt mentions follows it.
  const text = (typed.split(REFERENCES, 1)[0] ?? '').trim()
  return text === '' ? undefined : text
}

const TYPED = new Set<unknown>(['mid_turn_user_message', 'realtime_message'])
const INJECTED = /^\s*(?:<system-reminder>|This is the Qwen Code\. )/
const REFERENCES = '\n--- Content from referenced files ---'

/** The event in a row of telemetry. */
export function eventOf(row: JsonObject): JsonObject {
  return objectAt(objectAt(row, 'systemPayload'), 'uiEvent')
}

/** Whether an event is about a request of a sub-agent; in older versions only the id of the prompt shows it. */
export function isOfSubAgent(event: JsonObject): boolean {
  if (textAt(event, 'subagent_id') || textAt(event, 'subagent_name')) return true
  return /^[^#]+#[^#]+#\d+$/.test(textAt(event, 'prompt_id') ?? '')
}

/** The tokens of an `api_response` event. */
export function readEventTokens(event: JsonObject): Tokens {
  return toTokens((name) => event[name], {
    input: 'input_token_count',
    output: 'output_token_count',
    cached: 'cached_content_token_count',
    thoughts: 'thoughts_token_count',
    tool: 'tool_token_count',
    total: 'total_token_count',
  })
}

/** The tokens in an answer, which repeat those of the `api_response` event. */
export function readAnswerTokens({usageMetadata}: JsonObject): Tokens | undefined {
  if (!isRecord(usageMetadata)) return undefined
  return toTokens((name) => usageMetadata[name], {
    input: 'promptTokenCount',
    output: 'candidatesTokenCount',
    cached: 'cachedContentTokenCount',
    thoughts: 'thoughtsTokenCount',
    tool: 'toolUsePromptTokenCount',
    total: 'totalTokenCount',
  })
}

type Count = 'input' | 'output' | 'cached' | 'thoughts' | 'tool' | 'total'

function toTokens(field: (name: string) => unknown, names: Record<Count, string>): Tokens {
  const count = (name: Count) => Math.max(0, numberAt({value: field(names[name])}, 'value') ?? 0)
  const [prompt, answer, reasoning] = [count('input'), count('output'), count('thoughts')]
  const cacheRead = count('cached')
  const tool = count('tool')
  const cached = field(names.cached) === undefined ? 0 : field(names.cached)
  const isSplit = typeof cached === 'number' && cached >= 0
  // Providers of one family count thoughts in addition to the answer.
  const isBeside = reasoning > 0 && count('total') === prompt + answer + reasoning + tool
  const tokens: Tokens = {
    // Without the part that was cached, the rest is unknown.
    input: isSplit ? Math.max(0, prompt - cacheRead) + tool : 0,
    output: isBeside ? answer + reasoning : Math.max(answer, reasoning),
    cacheRead,
    cacheWrite: 0,
  }
  if (reasoning > 0) tokens.reasoning = reasoning
  return tokens
}
