import type {Draft, Translator} from '../../core/events/adapter.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {reportPrompt} from '../../core/events/drafts.ts'
import {textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {createCallReader, type Place} from './transcript-calls.ts'
import {
  callsOf,
  innerMessagesOf,
  promptOf,
  readProjectRoot,
  textOf,
  thinkingOf,
  timeOf,
  tokensOf,
} from './transcript-rows.ts'
import {kindOf} from './transcript-shapes.ts'

/** Translates the records of a session of Gemini CLI and of its sub-agents. */
export function createSessionTranslator({source}: TranscriptContext): Translator {
  const calls = createCallReader()
  /** Messages are repeated, each time with more in them. */
  const seen = new Set<string>()
  /** Files of sub-agents beside that of the session, as older versions keep them. */
  const subAgentPaths = new Set<string>()
  /** The end of a turn, which is final only when a prompt follows: calls are recorded after the text before them. */
  let turnEnd: Draft | undefined

  return {translate, end: () => [...calls.end(), ...endTurn()]}

  function translate(record: JsonObject): Draft[] {
    const {path, file} = source()
    const {subAgentId} = file
    const drafts = calls.endAgents(path)
    const kind = kindOf(record)
    if (kind === 'header') drafts.push(...startSession(record))
    if (kind === '$rewindTo') {
      drafts.push({type: 'status', status: 'notice', detail: 'conversation rewound'})
    }
    if (subAgentId !== undefined && record['type'] !== undefined) {
      drafts.push(...calls.startAgent(subAgentId, record))
    }
    const parentToolId = subAgentId === undefined ? undefined : calls.callOf(subAgentId)
    drafts.push(...readMessage(record, {path, isRow: true, parentToolId}))
    for (const message of innerMessagesOf(record)) {
      drafts.push(...readMessage(message, {path, isRow: false, parentToolId}))
    }
    return drafts
  }

  function startSession(header: JsonObject): Draft[] {
    if (header['kind'] === 'subagent') subAgentPaths.add(source().path)
    if (isSubAgent()) return []
    const sessionId = textAt(header, 'sessionId') ?? ''
    const cwd = readProjectRoot(source())
    return [...endTurn(), {type: 'session-start', sessionId, cwd, at: timeOf(header)}]
  }

  function readMessage(message: JsonObject, place: Place): Draft[] {
    switch (message['type']) {
      case 'gemini':
        return readAnswer(message, place)
      case 'user':
        return [...calls.readResults(message, place), ...startTurn(message, place)]
      case 'info':
      case 'warning':
      case 'error':
        return isFirst('notice', message) ? readNotice(message) : []
      default:
        return []
    }
  }

  function startTurn(message: JsonObject, {path}: Place): Draft[] {
    const at = timeAt(message, 'timestamp')
    if (textOf(message).startsWith('<state_snapshot>') && isFirst('summary', message)) {
      return [{type: 'status', status: 'compacting', phase: 'end', detail: 'compacted', at}]
    }
    const prompt = isSubAgent() ? undefined : promptOf(message)
    if (prompt === undefined || !isFirst('prompt', message)) return []
    return [...calls.startUnrecorded(path), ...endTurn(), ...reportPrompt(prompt, at)]
  }

  function readAnswer(message: JsonObject, place: Place): Draft[] {
    const at = timeAt(message, 'timestamp')
    const context = {messageId: textAt(message, 'id'), parentToolId: place.parentToolId, at}
    const drafts: Draft[] = []
    const thinking = thinkingOf(message)
    const text = textOf(message)
    if (isFirst('answer', message)) {
      if (thinking !== '') drafts.push({type: 'thinking', text: thinking, ...context})
      if (text !== '' && text !== ACKNOWLEDGEMENT) drafts.push({type: 'text', text, ...context})
    }
    const tokens = tokensOf(message)
    const hasId = (context.messageId ?? '') !== ''
    if (tokens !== undefined && hasId && isFirst('usage', message)) {
      drafts.push({type: 'usage', tokens, model: textAt(message, 'model'), at})
    }
    if (place.isRow && !isSubAgent()) {
      const isOver = text !== '' && callsOf(message).length === 0
      turnEnd = isOver ? {type: 'turn-end', ok: true, text, at} : undefined
    }
    return [...drafts, ...calls.readAnswer(message, place)]
  }

  function readNotice(message: JsonObject): Draft[] {
    const at = timeAt(message, 'timestamp')
    const detail = textOf(message)
    if (detail === '') return []
    if (message['type'] === 'info') {
      const status = detail.startsWith('Request cancelled') ? 'interrupted' : 'notice'
      return [{type: 'status', status, detail, at}]
    }
    if (message['type'] === 'warning' || !API_ERROR.test(detail)) {
      return [{type: 'status', status: 'warning', detail, at}]
    }
    turnEnd = {type: 'turn-end', ok: false, text: '', errors: [detail], at}
    return []
  }

  function endTurn(): Draft[] {
    const drafts = turnEnd === undefined ? [] : [turnEnd]
    turnEnd = undefined
    return drafts
  }

  function isSubAgent(): boolean {
    const {path, file} = source()
    return file.subAgentId !== undefined || subAgentPaths.has(path)
  }

  function isFirst(part: string, message: JsonObject): boolean {
    const id = textAt(message, 'id')
    const key = `${part} ${id}`
    if (id !== undefined && seen.has(key)) return false
    seen.add(key)
    return true
  }
}

/** The answer that the program puts after a summary. */
const ACKNOWLEDGEMENT = 'Got it. Thanks for the additional context!'
const API_ERROR = /\[API Error/i
