import type {Tokens} from '../../core/events/events.ts'
import {countTokens} from '../../core/run/ledger.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** The usage of a request. */
export interface RequestUsage {
  /** The same for a copy of the row. */
  key: string
  model?: string | undefined
  tokens: Tokens
}

/** Reads the usage of a request to the model; `undefined` for rows without one. */
export function readUsage(row: JsonObject): RequestUsage | undefined {
  const data = objectAt(row, 'data')
  switch (row['type']) {
    case 'session.usage_record': {
      const usage = objectAt(data, 'usage')
      const accounting = objectAt(usage, 'accounting')
      const id = textAt(usage, 'apiCallId') ?? textAt(accounting, 'usageId') ?? textAt(row, 'id')
      return describeUsage(id, usage, usage)
    }
    case 'session.compaction_complete': {
      const usage = objectAt(data, 'compactionTokensUsed')
      const model = textAt(usage, 'model') === undefined ? data : usage
      return describeUsage(`compaction ${textAt(row, 'id')}`, usage, model)
    }
    default:
      return undefined
  }
}

function describeUsage(
  key: string | undefined,
  usage: JsonObject,
  about: JsonObject,
): RequestUsage | undefined {
  const tokens = readTokens(usage)
  if (key === undefined || countTokens(tokens) === 0) return undefined
  return {key, model: textAt(about, 'model'), tokens}
}

/** The input tokens of Copilot include cached tokens; ours do not. Compactions of older versions have other names. */
export function readTokens(usage: JsonObject): Tokens {
  const count = (...names: string[]) =>
    Math.max(0, names.map((name) => numberAt(usage, name)).find(isDefined) ?? 0)
  const cacheRead = count('cacheReadTokens', 'cachedInput')
  const cacheWrite = count('cacheWriteTokens')
  const input = count('inputTokens', 'input') - cacheRead - cacheWrite
  return {
    input: Math.max(0, input),
    output: count('outputTokens', 'output'),
    cacheRead,
    cacheWrite,
    reasoning: numberAt(usage, 'reasoningTokens'),
  }
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}

/** When a session began. The rows of a fork that are older are copies of its origin. */
export function startOf(row: JsonObject): number | undefined {
  if (row['type'] !== 'session.start') return undefined
  return timeAt(objectAt(row, 'data'), 'startTime') ?? timeAt(row, 'timestamp')
}

/** Whether a row is of the main conversation, not of a sub-agent. */
export function isMain(row: JsonObject): boolean {
  return row['agentId'] === undefined
}

/** The prompt in a row, as the user typed it; `undefined` for texts of the program. */
export function promptOf(row: JsonObject): string | undefined {
  const data = objectAt(row, 'data')
  if (row['type'] !== 'user.message' || !isMain(row)) return undefined
  if (data['isAutopilotContinuation'] === true) return undefined
  const source = textAt(data, 'source')
  if (source !== undefined && !USER_SOURCES.has(source)) return undefined
  return textAt(data, 'content')?.trim() || undefined
}

const USER_SOURCES = new Set(['user', 'immediate-prompt'])

/** The session of which a fork is a copy. */
export function originOf(row: JsonObject): string | undefined {
  const data = objectAt(row, 'data')
  if (row['type'] !== 'session.info' || data['infoType'] !== 'fork') return undefined
  return FORK.exec(textAt(data, 'message') ?? '')?.[1]
}

/** The other session has a text too: `Forked this session into …`. */
const FORK = /^Forked from [^]*?\(([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\)(?= as |\.?$)/

/** The calls of the model in an answer. */
export function callsOf(data: JsonObject): string[] {
  const {toolRequests} = data
  if (!Array.isArray(toolRequests)) return []
  return toolRequests.flatMap((call) => {
    const id = isRecord(call) ? textAt(call, 'toolCallId') : undefined
    return id ?? []
  })
}
