import {reportPrompt} from '../../core/events/drafts.ts'
import {reportIncomplete, type Draft, type Translator} from '../../core/events/adapter.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {
  isRecord,
  objectAt,
  parseText,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {blocksOf, outputText} from '../messages-api/content.ts'
import {readToolEnd, toolKind} from './tools.ts'
import {callsOf, isError, promptOf, textOf, timeOf, tokensOf} from './transcript-rows.ts'
import {kindOf} from './transcript-shapes.ts'
import {readCost} from './usage.ts'

/** Translates the records of a session of Cline and of its sub-agents. They are repeated when they change. */
export function createSessionTranslator({source, openTool}: TranscriptContext): Translator {
  const seen = new Set<string>()
  /** How much of each text was emitted. */
  const lengths = new Map<string, number>()
  /** The calls that started sub-agents, by the id of the sub-agent. */
  const parents = new Map<string, string>()
  /** Calls of sub-agents that are not linked yet, in order. */
  let spawned: {toolId: string; task: string}[] = []

  return {translate}

  function translate(record: JsonObject): Draft[] {
    const kind = kindOf(record)
    if (kind === 'session') return startSession(record)
    if (kind === 'message/user') return readUser(record)
    return kind === 'message/assistant' ? readAnswer(record) : []
  }

  function startSession(session: JsonObject): Draft[] {
    const sessionId = textAt(session, 'session_id') ?? source().file.sessionId
    if (sessionId === undefined || !isFirst('session')) return []
    const origin = objectAt(objectAt(session, 'metadata'), 'sessionHistoryOrigin')
    return [
      {
        type: 'session-start',
        sessionId,
        cwd: textAt(session, 'cwd'),
        model: textAt(session, 'model'),
        agentVersion: textAt(origin, 'version'),
        at: timeOf(session),
      },
    ]
  }

  function readUser(message: JsonObject): Draft[] {
    const at = timeOf(message)
    const results = blocksOf({message}).filter(({type}) => type === 'tool_result')
    const drafts = results.flatMap((block) => endTool(block, at))
    const {subAgentId} = source().file
    if (subAgentId !== undefined) {
      if (!parents.has(subAgentId)) link(subAgentId, textOf(message))
      return drafts
    }
    if (!isFirst(`prompt ${keyOf(message)}`)) return drafts
    const prompt = promptOf(message)
    if (prompt === undefined) return [...drafts, ...readNotice(message, at)]
    return [...drafts, ...reportPrompt(prompt, at)]
  }

  /** The first message of a sub-agent is its task. */
  function link(subAgentId: string, task: string): void {
    const call = spawned.find((item) => item.task.trim() === task.trim()) ?? spawned[0]
    if (call === undefined) return
    parents.set(subAgentId, call.toolId)
    spawned = spawned.filter((item) => item !== call)
  }

  function readNotice(message: JsonObject, at: number | undefined): Draft[] {
    const kind = textAt(objectAt(message, 'metadata'), 'kind') ?? ''
    if (!kind.startsWith('compaction')) return []
    return [{type: 'status', status: 'compacting', phase: 'end', detail: 'compacted', at}]
  }

  function readAnswer(message: JsonObject): Draft[] {
    const at = timeOf(message)
    const key = keyOf(message)
    const {subAgentId} = source().file
    const isMain = subAgentId === undefined
    if (isError(message)) return isFirst(key) ? readError(textOf(message), isMain, at) : []
    const messageId = textAt(message, 'id')
    const parentToolId = isMain ? undefined : parents.get(subAgentId)
    const drafts = blocksOf({message}).flatMap((block, index) =>
      readBlock(block, `${key} ${index}`, {messageId, parentToolId, at}),
    )
    const tokens = tokensOf(message)
    if (tokens !== undefined && isFirst(`usage ${key}`)) {
      const model = textAt(objectAt(message, 'modelInfo'), 'id')
      const costUsd = readCost(message['metrics'], 'cost')
      drafts.push({type: 'usage', tokens, costUsd, model, at})
    }
    if (isMain && callsOf(message).length === 0 && isFirst(`end ${key}`)) {
      drafts.push({type: 'turn-end', ok: true, text: textOf(message), at})
    }
    return drafts
  }

  function readBlock(block: JsonObject, key: string, context: BlockContext): Draft[] {
    switch (block['type']) {
      case 'text':
        return readText('text', textAt(block, 'text') ?? '', key, context)
      case 'thinking':
        return readText('thinking', textAt(block, 'thinking') ?? '', key, context)
      case 'tool_use':
        return isFirst(`start ${key}`) ? startTool(block, context) : []
      default:
        return []
    }
  }

  /** The text, or its continuation if the message was stored before it was complete. */
  function readText(
    type: 'text' | 'thinking',
    text: string,
    key: string,
    context: BlockContext,
  ): Draft[] {
    const before = lengths.get(key) ?? 0
    if (text.length <= before) return []
    lengths.set(key, text.length)
    return [
      before === 0
        ? {type, text, ...context}
        : {type: `${type}-delta`, text: text.slice(before), ...context},
    ]
  }

  function startTool(block: JsonObject, context: BlockContext): Draft[] {
    const toolId = textAt(block, 'id')
    if (toolId === undefined) return [reportIncomplete('tool_use without id')]
    const name = textAt(block, 'name') ?? ''
    const {input} = block
    const tool = toolKind(name)
    if (tool === 'Task') spawned.push({toolId, task: textAt(input, 'task') ?? ''})
    return [{type: 'tool-start', toolId, name, tool, input, ...context}]
  }

  function endTool(block: JsonObject, at: number | undefined): Draft[] {
    const toolId = textAt(block, 'tool_use_id')
    if (toolId === undefined) return [reportIncomplete('tool_result without tool_use_id')]
    const {content} = block
    const text = outputText(content)
    // Its outcome is not known.
    if (text === INTERRUPTED || !isFirst(`end ${source().path} ${toolId}`)) return []
    spawned = spawned.filter((call) => call.toolId !== toolId)
    const output = typeof content === 'string' ? parseText(content) : content
    const error = block['is_error'] === true ? text : undefined
    const result = {output: isRecord(output) ? output : (content ?? ''), error}
    return readToolEnd(toolId, result, openTool(toolId), at)
  }

  function keyOf(message: JsonObject): string {
    const id = textAt(message, 'id') ?? `${kindOf(message)} ${timeAt(message, 'ts')}`
    return `${source().path} ${id}`
  }

  function isFirst(key: string): boolean {
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
}

interface BlockContext {
  messageId: string | undefined
  parentToolId: string | undefined
  at: number | undefined
}

const INTERRUPTED = 'Tool execution was interrupted before a result was produced.'

function readError(text: string, isMain: boolean, at: number | undefined): Draft[] {
  const status = INTERRUPTION.test(text) ? 'interrupted' : 'warning'
  const warning: Draft = {type: 'status', status, detail: text, at}
  if (!isMain) return [warning]
  return [warning, {type: 'turn-end', ok: false, text: '', errors: [text], at}]
}

/** The errors of a run whose terminal was closed, or that the user aborted. */
const INTERRUPTION = /^Run aborted|^Capability owner client \S+ disconnected/
