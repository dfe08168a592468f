import {
  reportIncomplete,
  type Draft,
  type OpenTool,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {createTextDeduplicator} from '../../core/events/deduplicate-text.ts'
import type {Tokens, ToolKind} from '../../core/events/events.ts'
import {readPlan} from '../../core/events/plan.ts'
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

/** What tells the agents apart that print messages as Claude Code does. */
export interface Dialect {
  /** Our word for a tool. */
  toolKind(name: string): ToolKind
  /** Whether a result tells what its whole process used, and not only its turn. */
  countsOn?: boolean
  /** Whether the input that is told holds what was read from a cache, too. */
  inputHoldsCache?: boolean
  /** Why a hook ended the turn of a result before it was complete; `undefined` when none did. */
  describeStop?(result: JsonObject): string | undefined
  /** What a result says of use, where that is more than its `usage`. */
  settle?(result: JsonObject): Draft[]
  /** Is shown what messages have used so far. */
  meter?: Meter
  /** Records that are not of the conversation. */
  translateOther(record: JsonObject): Draft[]
  /** What a result says beyond `is_error` and its text, read from the text and from the line around it. */
  describeResult(output: string, result: ToolResult): ResultDetails
}

/** Watches what messages use. A message is told several times, by the call of the sub-agent that speaks. */
export interface Meter {
  /** A line of a message: one block of it, and an early count. */
  said(message: unknown, speaker: string): void
  /** The start of a message that is streamed. */
  started(message: unknown, speaker: string): void
  /** The end of a message that is streamed, with the final count. */
  ended(delta: unknown, speaker: string): void
}

/** The result of a tool, as it came. */
export interface ToolResult {
  toolId: string
  failed: boolean
  /** The tool that was called, while it is open. */
  tool: OpenTool | undefined
  /** Whether somebody was asked if it may be used. */
  wasAsked: boolean
  /** The line that holds the result. */
  line: JsonObject
}

/** What else is known of the result of a tool. */
export interface ResultDetails {
  output?: string
  exitCode?: number | undefined
  denied?: boolean | undefined
  durationMs?: number | undefined
  changes?: Draft[]
}

/** Reads lines that hold messages of the Messages API: `assistant`, `user`, `stream_event`, `result`. */
export function createMessagesTranslator(
  {openTool}: TranslatorContext,
  dialect: Dialect,
): Translator {
  const {meter} = dialect
  const folder = createTextDeduplicator()
  /** The message that each speaker streams, by the call of the sub-agent that it is. */
  const streaming = new Map<string, string | undefined>()
  const deniedTools = new Set<string>()
  const askedTools = new Set<string>()
  let counted: Tokens | undefined

  return {translate}

  function translate(record: JsonObject): Draft[] {
    switch (record['type']) {
      case 'assistant':
        meter?.said(record['message'], parentOf(record) ?? '')
        return readSpoken(record, blocksOf(record))
      case 'user':
        return readHeard(record, blocksOf(record))
      case 'tool_use':
        return readSpoken(record, [record])
      case 'tool_result':
        return readHeard(record, [record])
      case 'stream_event': {
        const drafts = readStream(objectAt(record, 'event'), parentOf(record))
        // What was streamed so far of an answer that broke off is not part of it.
        return isRecord(record['abandoned_blocks']) ? [...drafts, brokenOff()] : drafts
      }
      case 'message_start':
      case 'content_block_start':
      case 'content_block_delta':
        return readStream(record, parentOf(record))
      case 'result':
        return readResult(record)
      default:
        return note(dialect.translateOther(record))
    }
  }

  function readSpoken(line: JsonObject, blocks: JsonObject[]): Draft[] {
    const drafts: Draft[] = []
    for (const block of blocks) readSpokenBlock(line, block, drafts)
    return drafts
  }

  function readSpokenBlock(line: JsonObject, block: JsonObject, drafts: Draft[]): void {
    const {type} = block
    const parentToolId = parentOf(line)
    const at = timeAt(line, 'timestamp')
    if (type === 'text' || type === 'thinking') {
      if (isPlaceholder(line, block)) return
      const about = {messageId: textAt(line['message'], 'id'), parentToolId, at}
      drafts.push(...folder.addFull(parentToolId ?? '', type, textAt(block, type) ?? '', about))
    } else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') {
      startTool(block, line, at, drafts)
    } else drafts.push(...endTool(block, line))
  }

  function startTool(
    block: JsonObject,
    line: JsonObject,
    at: number | undefined,
    drafts: Draft[],
  ): void {
    const toolId = textAt(block, 'id')
    if (toolId === undefined) {
      drafts.push(reportIncomplete(`${String(block['type'])} without id`))
      return
    }
    const name = textAt(block, 'name') ?? ''
    const {input} = block
    const tool = block['type'] === 'mcp_tool_use' ? 'Mcp' : dialect.toolKind(name)
    const parentToolId = parentOf(line)
    const messageId = textAt(line['message'], 'id')
    drafts.push({type: 'tool-start', toolId, name, tool, input, parentToolId, messageId, at})
  }

  function readHeard(line: JsonObject, blocks: JsonObject[]): Draft[] {
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

  /** A result of ours, or of a tool that the provider ran itself. */
  function endTool(block: JsonObject, line: JsonObject): Draft[] {
    const toolId = textAt(block, 'tool_use_id')
    if (toolId === undefined) return readOtherBlock(block)
    const said = outputText(block['content'])
    const failed = hasFailed(block)
    const tool = openTool(toolId)
    const wasAsked = askedTools.delete(toolId)
    const details = dialect.describeResult(said, {toolId, failed, tool, line, wasAsked})
    folder.clear(toolId)
    streaming.delete(toolId)
    const {output = said, exitCode, changes = []} = details
    const ok = !failed && (exitCode ?? 0) === 0
    const at = timeAt(line, 'timestamp')
    const end: Draft = {type: 'tool-end', toolId, ok, output, at}
    if (exitCode !== undefined) end.exitCode = exitCode
    if (details.durationMs !== undefined) end.durationMs = details.durationMs
    if (ok) return [...changes, ...readTodos(tool, at), end]
    end.error = errorText(output) || textAt(block, 'error') || describeExit(exitCode)
    if (details.denied !== true && !deniedTools.has(toolId)) return [end]
    end.denied = true
    if (deniedTools.has(toolId)) return [end]
    const {name = '', input} = tool ?? {}
    return [...note([{type: 'permission-denied', toolId, name, input, reason: end.error, at}]), end]
  }

  function readStream(event: JsonObject, parentToolId: string | undefined): Draft[] {
    const key = parentToolId ?? ''
    switch (event['type']) {
      case 'message_start':
        folder.clear(key)
        streaming.set(key, textAt(event['message'], 'id'))
        meter?.started(event['message'], key)
        return []
      case 'content_block_start': {
        const block = objectAt(event, 'content_block')
        const {type} = block
        if (type !== 'text' && type !== 'thinking') return []
        folder.startBlock(key, type)
        return readPiece(key, parentToolId, type, block)
      }
      case 'content_block_delta': {
        const delta = objectAt(event, 'delta')
        if (delta['type'] === 'text_delta') return readPiece(key, parentToolId, 'text', delta)
        if (delta['type'] !== 'thinking_delta') return []
        return readPiece(key, parentToolId, 'thinking', delta)
      }
      case 'message_delta':
        meter?.ended(event, key)
        return dialect.translateOther(event)
      case 'message_stop':
        streaming.delete(key)
        return []
      default:
        return dialect.translateOther(event)
    }
  }

  function readPiece(
    key: string,
    parentToolId: string | undefined,
    speech: 'text' | 'thinking',
    piece: JsonObject,
  ): Draft[] {
    const about = {messageId: streaming.get(key), parentToolId}
    return folder.addDelta(key, speech, textAt(piece, speech) ?? '', about)
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
    drafts.push(...(dialect.settle?.(result) ?? settle(result)), end)
    return drafts
  }

  function settle({usage}: JsonObject): Draft[] {
    const tokens = readTokens(usage)
    if (tokens === undefined) return []
    if (dialect.inputHoldsCache) tokens.input = Math.max(0, tokens.input - tokens.cacheRead)
    return [{type: 'usage', tokens: sinceLast(tokens)}]
  }

  function sinceLast(tokens: Tokens): Tokens {
    if (dialect.countsOn !== true) return tokens
    const before = counted
    counted = tokens
    return before === undefined ? tokens : subtractTokens(tokens, before)
  }

  /** Remembers what was denied, so that it is told once and the tool's end says so too. */
  function note(drafts: Draft[]): Draft[] {
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

/** Claude Code writes this message itself, where the conversation needs an answer that the model was not asked for. */
function isPlaceholder(line: JsonObject, block: JsonObject): boolean {
  const isSynthetic = textAt(line['message'], 'model') === '<synthetic>'
  return isSynthetic && block['text'] === 'No response requested.'
}

/** Images and other content have no id; a result needs the id of its call. */
function readOtherBlock({type}: JsonObject): Draft[] {
  const isResult = typeof type === 'string' && type.endsWith('tool_result')
  return isResult ? [reportIncomplete(`${type} without tool_use_id`)] : []
}

function brokenOff(): Draft {
  return {type: 'status', status: 'warning', detail: 'the answer broke off; it begins again'}
}

/** Some early descriptions of the format have nothing but the text of the error. */
function hasFailed({is_error: isError, error}: JsonObject): boolean {
  return isError === true || (typeof isError !== 'boolean' && typeof error === 'string')
}

function readTodos(tool: OpenTool | undefined, at: number | undefined): Draft[] {
  if (tool?.tool !== 'Todo' || !isRecord(tool.input)) return []
  const items = readPlan(tool.input['todos'])
  return items === undefined ? [] : [{type: 'plan', items, at}]
}

/** A count that is lower than before has begun anew. */
function subtractTokens(tokens: Tokens, before: Tokens): Tokens {
  if (tokens.input < before.input || tokens.output < before.output) return tokens
  return {
    input: tokens.input - before.input,
    output: tokens.output - before.output,
    cacheRead: Math.max(0, tokens.cacheRead - before.cacheRead),
    cacheWrite: Math.max(0, tokens.cacheWrite - before.cacheWrite),
  }
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
  const told = [...(Array.isArray(errors) ? errors : [errors]), textAt(error, 'message') ?? error]
    .map((reason) => toText(reason))
    .filter(Boolean)
  return told.length > 0 ? told : [fallback]
}

/** What the running total was called over the years, newest first. */
function readCost(result: JsonObject): number | undefined {
  return (
    numberAt(result, 'total_cost_usd') ??
    numberAt(result, 'cost_usd') ??
    numberAt(result, 'total_cost')
  )
}

/** Tokens as the Messages API counts them. */
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

/** The text of a failure, out of the tag that Claude puts around it. */
function errorText(output: string): string {
  return output.replaceAll(/<\/?tool_use_error>/g, '')
}
