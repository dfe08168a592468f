import {
  reportIncomplete,
  type Draft,
  type OpenTool,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator} from '../../core/events/deduplicate-text.ts'
import {readTodos} from '../../core/events/drafts.ts'
import type {Tokens, ToolKind} from '../../core/events/events.ts'
import {NO_TOKENS, subtractTokens} from '../../core/run/ledger.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {blocksOf, outputText} from './content.ts'

/** The differences between agents that print messages like Claude Code. */
export interface Dialect {
  /** The common name of a tool. */
  toolKind(name: string): ToolKind
  /** Whether the usage of a result is that of the process so far, not of its turn. */
  isCumulative?: boolean
  /** Whether input tokens include those read from a cache. */
  inputIncludesCache?: boolean
  /** Why a hook ended the turn of a result early; `undefined` when none did. */
  describeStop?(result: JsonObject): string | undefined
  /** The usage of a result, for agents that report more than `usage`. */
  readUsage?(result: JsonObject): Draft[]
  /** Receives the usage of messages. */
  meter?: Meter
  /** Translates records that are not part of the conversation. */
  translateOther(record: JsonObject): Draft[]
  /** Details of a tool result, from its text and from its line. */
  describeResult(output: string, result: ToolResult): ResultDetails
}

/** Counts the usage of messages. A message is printed several times; `source` is the call of its sub-agent, or empty. */
export interface Meter {
  /** A line with one block of a message and an early count. */
  addMessage(message: unknown, source: string): void
  /** The start of a streamed message. */
  startMessage(message: unknown, source: string): void
  /** The end of a streamed message, with the final count. */
  endMessage(delta: unknown, source: string): void
}

/** The result of a tool. */
export interface ToolResult {
  toolId: string
  failed: boolean
  /** The tool that was called, while it is open. */
  tool: OpenTool | undefined
  /** Whether a permission was requested for it. */
  wasAsked: boolean
  /** The line with the result. */
  line: JsonObject
}

/** Details of the result of a tool. */
export interface ResultDetails {
  output?: string
  exitCode?: number | undefined
  denied?: boolean | undefined
  durationMs?: number | undefined
  changes?: Draft[]
}

/** Translates lines with messages of the Messages API: `assistant`, `user`, `stream_event`, `result`. */
export function createMessagesTranslator(
  {openTool}: TranslatorContext,
  dialect: Dialect,
): Translator {
  const {meter} = dialect
  const deduplicator = createTextDeduplicator()
  /** The id of the message that each source streams, by the call of its sub-agent. */
  const streaming = new Map<string, string | undefined>()
  const deniedTools = new Set<string>()
  const askedTools = new Set<string>()
  let lastTokens = NO_TOKENS

  return {translate}

  function translate(record: JsonObject): Draft[] {
    switch (record['type']) {
      case 'assistant':
        meter?.addMessage(record['message'], parentOf(record) ?? '')
        return readAssistant(record, blocksOf(record))
      case 'user':
        return readUser(record, blocksOf(record))
      case 'tool_use':
        return readAssistant(record, [record])
      case 'tool_result':
        return readUser(record, [record])
      case 'stream_event': {
        const drafts = readStream(objectAt(record, 'event'), parentOf(record))
        // The text so far is not part of the answer, which starts from scratch.
        return isRecord(record['abandoned_blocks']) ? [...drafts, reportAbandoned()] : drafts
      }
      case 'message_start':
      case 'content_block_start':
      case 'content_block_delta':
        return readStream(record, parentOf(record))
      case 'result':
        return readResult(record)
      default:
        return rememberPermissions(dialect.translateOther(record))
    }
  }

  function readAssistant(line: JsonObject, blocks: JsonObject[]): Draft[] {
    const drafts: Draft[] = []
    for (const block of blocks) readAssistantBlock(line, block, drafts)
    return drafts
  }

  function readAssistantBlock(line: JsonObject, block: JsonObject, drafts: Draft[]): void {
    const {type} = block
    const parentToolId = parentOf(line)
    const at = timeAt(line, 'timestamp')
    if (type === 'text' || type === 'thinking') {
      if (isPlaceholder(line, block)) return
      const context = {messageId: textAt(line['message'], 'id'), parentToolId, at}
      drafts.push(
        ...deduplicator.addFull(parentToolId ?? '', type, textAt(block, type) ?? '', context),
      )
    } else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      drafts.push(startTool(block, line, at))
    } else drafts.push(...endTool(block, line))
  }

  function startTool(block: JsonObject, line: JsonObject, at: number | undefined): Draft {
    const toolId = textAt(block, 'id')
    if (toolId === undefined) return reportIncomplete(`${String(block['type'])} without id`)
    const name = textAt(block, 'name') ?? ''
    const {input} = block
    const tool = block['type'] === 'mcp_tool_use' ? 'Mcp' : dialect.toolKind(name)
    const parentToolId = parentOf(line)
    const messageId = textAt(line['message'], 'id')
    return {type: 'tool-start', toolId, name, tool, input, parentToolId, messageId, at}
  }

  function readUser(line: JsonObject, blocks: JsonObject[]): Draft[] {
    const drafts: Draft[] = []
    for (const block of blocks) {
      if (block['type'] !== 'text') drafts.push(...endTool(block, line))
      else if (textAt(block, 'text')?.startsWith('[Request interrupted by user') === true) {
        const detail = 'request interrupted by the user'
        drafts.push({type: 'status', status: 'interrupted', detail})
      }
    }
    return drafts
  }

  /** The result of a local tool, or of a tool that the provider ran. */
  function endTool(block: JsonObject, line: JsonObject): Draft[] {
    const toolId = textAt(block, 'tool_use_id')
    if (toolId === undefined) return readOtherBlock(block)
    const text = outputText(block['content'])
    const failed = hasFailed(block)
    const tool = openTool(toolId)
    const wasAsked = askedTools.delete(toolId)
    const details = dialect.describeResult(text, {toolId, failed, tool, line, wasAsked})
    deduplicator.clear(toolId)
    streaming.delete(toolId)
    const {output = text, exitCode, changes = []} = details
    const ok = !failed && (exitCode ?? 0) === 0
    const at = timeAt(line, 'timestamp')
    const end: Draft = {type: 'tool-end', toolId, ok, output, at}
    if (exitCode !== undefined) end.exitCode = exitCode
    if (details.durationMs !== undefined) end.durationMs = details.durationMs
    if (ok) return [...changes, ...(tool?.tool === 'Todo' ? readTodos(tool.input, at) : []), end]
    end.error = errorText(output) || textAt(block, 'error') || describeExit(exitCode)
    if (details.denied !== true && !deniedTools.has(toolId)) return [end]
    end.denied = true
    if (deniedTools.has(toolId)) return [end]
    const {name = '', input} = tool ?? {}
    return [
      ...rememberPermissions([
        {type: 'permission-denied', toolId, name, input, reason: end.error, at},
      ]),
      end,
    ]
  }

  function readStream(event: JsonObject, parentToolId: string | undefined): Draft[] {
    const key = parentToolId ?? ''
    switch (event['type']) {
      case 'message_start':
        deduplicator.clear(key)
        streaming.set(key, textAt(event['message'], 'id'))
        meter?.startMessage(event['message'], key)
        return []
      case 'content_block_start': {
        const block = objectAt(event, 'content_block')
        const {type} = block
        if (type !== 'text' && type !== 'thinking') return []
        deduplicator.startBlock(key, type)
        return readDelta(key, parentToolId, type, block)
      }
      case 'content_block_delta': {
        const delta = objectAt(event, 'delta')
        if (delta['type'] === 'text_delta') return readDelta(key, parentToolId, 'text', delta)
        if (delta['type'] !== 'thinking_delta') return []
        return readDelta(key, parentToolId, 'thinking', delta)
      }
      case 'message_delta':
        meter?.endMessage(event, key)
        return dialect.translateOther(event)
      case 'message_stop':
        streaming.delete(key)
        return []
      default:
        return dialect.translateOther(event)
    }
  }

  function readDelta(
    key: string,
    parentToolId: string | undefined,
    kind: 'text' | 'thinking',
    delta: JsonObject,
  ): Draft[] {
    const context = {messageId: streaming.get(key), parentToolId}
    return deduplicator.addDelta(key, kind, textAt(delta, kind) ?? '', context)
  }

  function readResult(result: JsonObject): Draft[] {
    const drafts: Draft[] = []
    for (const denial of objectsAt(result, 'permission_denials')) {
      const toolId = textAt(denial, 'tool_use_id')
      if (toolId !== undefined && deniedTools.has(toolId)) continue
      const name = textAt(denial, 'tool_name') ?? ''
      drafts.push({type: 'permission-denied', toolId, name, input: denial['tool_input']})
    }
    deniedTools.clear()
    askedTools.clear()
    streaming.clear()
    const end = readTurnEnd(result)
    const stopped = dialect.describeStop?.(result)
    if (stopped !== undefined) end.stopped = stopped
    drafts.push(...(dialect.readUsage?.(result) ?? readUsage(result)), end)
    return drafts
  }

  function readUsage({usage}: JsonObject): Draft[] {
    const tokens = readTokens(usage)
    if (tokens === undefined) return []
    if (dialect.inputIncludesCache) tokens.input = Math.max(0, tokens.input - tokens.cacheRead)
    return [{type: 'usage', tokens: sinceLast(tokens)}]
  }

  function sinceLast(tokens: Tokens): Tokens {
    if (dialect.isCumulative !== true) return tokens
    const before = lastTokens
    lastTokens = tokens
    // A lower count than before started from 0.
    const isLower = tokens.input < before.input || tokens.output < before.output
    return isLower ? tokens : subtractTokens(tokens, before)
  }

  /** Remembers denials, so that each is reported once and marks the end of its tool. */
  function rememberPermissions(drafts: Draft[]): Draft[] {
    for (const draft of drafts) {
      if (draft.type === 'permission-denied' && draft.toolId !== undefined) {
        deniedTools.add(draft.toolId)
      }
      if (draft.type === 'permission-request' && draft.toolId !== undefined) {
        askedTools.add(draft.toolId)
      }
    }
    return drafts
  }
}

/** Whether Claude Code inserted a block because the conversation needs an answer that no model gave. */
function isPlaceholder(line: JsonObject, block: JsonObject): boolean {
  const isSynthetic = textAt(line['message'], 'model') === '<synthetic>'
  return isSynthetic && block['text'] === 'No response requested.'
}

/** Images and other content have no id, but a result without the id of its call is incomplete. */
function readOtherBlock({type}: JsonObject): Draft[] {
  const isResult = typeof type === 'string' && type.endsWith('tool_result')
  return isResult ? [reportIncomplete(`${type} without tool_use_id`)] : []
}

function reportAbandoned(): Draft {
  return {type: 'status', status: 'warning', detail: 'the response was aborted and starts again'}
}

/** Early descriptions of the format have only the text of the error. */
function hasFailed({is_error: isError, error}: JsonObject): boolean {
  return isError === true || (typeof isError !== 'boolean' && typeof error === 'string')
}

function parentOf(line: JsonObject): string | undefined {
  return textAt(line, 'parent_tool_use_id')
}

function readTurnEnd(result: JsonObject): Draft & {type: 'turn-end'} {
  const subtype = textAt(result, 'subtype')
  const ok = result['is_error'] !== true && subtype?.startsWith('error') !== true
  const text = toText(result['result'])
  return {
    type: 'turn-end',
    ok,
    subtype,
    text,
    errors: ok ? undefined : readErrors(result, text || subtype || 'no reason given'),
    costUsd: readCost(result),
    durationMs: numberAt(result, 'duration_ms'),
    turns: numberAt(result, 'num_turns'),
    reason: textAt(result, 'terminal_reason') ?? textAt(result, 'stop_reason'),
  }
}

function readErrors({errors, error}: JsonObject, fallback: string): string[] {
  const reported = [
    ...(Array.isArray(errors) ? errors : [errors]),
    textAt(error, 'message') ?? error,
  ]
    .map((reason) => toText(reason))
    .filter(Boolean)
  return reported.length > 0 ? reported : [fallback]
}

/** The running total by the names of all versions, newest first. */
function readCost(result: JsonObject): number | undefined {
  return (
    numberAt(result, 'total_cost_usd') ??
    numberAt(result, 'cost_usd') ??
    numberAt(result, 'total_cost')
  )
}

/** Reads tokens as the Messages API counts them. */
export function readTokens(usage: unknown): Tokens | undefined {
  if (!isRecord(usage)) return undefined
  const tokens: Tokens = {
    input: numberAt(usage, 'input_tokens') ?? 0,
    output: numberAt(usage, 'output_tokens') ?? 0,
    cacheRead: numberAt(usage, 'cache_read_input_tokens') ?? 0,
    cacheWrite: numberAt(usage, 'cache_creation_input_tokens') ?? 0,
  }
  const reasoning = numberAt(usage['output_tokens_details'], 'thinking_tokens')
  if (reasoning !== undefined) tokens.reasoning = reasoning
  return tokens
}

function describeExit(exitCode: number | undefined): string {
  return exitCode === undefined ? 'no reason given' : `exit code ${exitCode}`
}

/** The text of a failure without the tag around it. */
export function errorText(output: string): string {
  return output.replaceAll(/<\/?tool_use_error>/g, '')
}
