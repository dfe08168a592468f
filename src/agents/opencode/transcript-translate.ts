import {reportPrompt} from '../../core/events/drafts.ts'
import type {Draft, Translator} from '../../core/events/adapter.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {numberAt, objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {hasTokens, readTokens} from './tokens.ts'
import {isRejection} from './tools.ts'
import {createCallReader} from './transcript-calls.ts'
import {promptOf} from './transcript-parts.ts'
import {kindOf} from './transcript-shapes.ts'
import {continuesAfter, describeError} from './translate.ts'

/** Translates the records of a session of OpenCode and of its sub-agents. They are repeated when they change. */
export function createSessionTranslator(_context: TranscriptContext): Translator {
  const calls = createCallReader()
  const seen = new Set<string>()
  /** How much of each text was emitted: a text is stored while it is written. */
  const lengths = new Map<string, number>()
  /** Answers with usage: from their steps, or from their own record if they have none. */
  const counted = new Map<string, 'steps' | 'message'>()
  let model: string | undefined
  let mainId: string | undefined
  /** The last answer, for the end of the turn. */
  let text = ''
  /** The denial in this step, after which no step follows. */
  let rejection: string | undefined
  let ending: Ending | undefined

  return {translate, end: () => [...calls.end(), ...endTurn()]}

  function translate(record: JsonObject): Draft[] {
    const at = numberAt(record, 'at')
    return [...calls.endUntil(at), ...readModel(record, at), ...readRecord(record)]
  }

  function readRecord(record: JsonObject): Draft[] {
    const kind = kindOf(record)
    switch (kind) {
      case 'session':
        return startSession(record)
      case 'message/assistant':
        return readAnswer(record)
      case 'part/text':
      case 'part/subtask':
      case 'part/compaction':
        return record['role'] === 'user' ? readPrompt(record) : readText('text', record)
      case 'part/reasoning':
        return readText('thinking', record)
      case 'part/tool':
        return readCall(record)
      case 'part/step-start':
      case 'part/step-finish':
      case 'part/retry':
        return isFirst(textAt(record['part'], 'id')) ? readStep(record) : []
      default:
        return []
    }
  }

  function startSession(session: JsonObject): Draft[] {
    const sessionId = textAt(session, 'id')
    if (sessionId === undefined || !isFirst(sessionId)) return []
    if (calls.addSession(session)) return []
    mainId = sessionId
    const cwd = textAt(session, 'directory')
    const agentVersion = textAt(session, 'version')
    return [{type: 'session-start', sessionId, cwd, agentVersion, at: numberAt(session, 'at')}]
  }

  function readPrompt(record: JsonObject): Draft[] {
    const at = numberAt(record, 'at')
    const part = objectAt(record, 'part')
    if (isOfSubAgent(record) || !isFirst(textAt(part, 'id'))) return []
    if (part['type'] === 'compaction') {
      const detail = part['auto'] === true ? 'compacting automatically' : 'compacting'
      return [{type: 'status', status: 'compacting', phase: 'start', detail, at}]
    }
    const prompt = promptOf(part)
    // Inserted by OpenCode, so that the model continues.
    if (part['synthetic'] === true) ending = undefined
    // Files and other parts of a prompt follow its text.
    if (prompt === undefined || !isFirst(`prompt ${textAt(record, 'messageID')}`)) return []
    return [...endTurn(), ...reportPrompt(prompt, at)]
  }

  function readText(type: 'text' | 'thinking', record: JsonObject): Draft[] {
    const part = objectAt(record, 'part')
    const id = textAt(part, 'id') ?? ''
    const full = textAt(part, 'text') ?? ''
    const before = lengths.get(id) ?? 0
    if (full.length <= before) return []
    lengths.set(id, full.length)
    const isComplete = !('time' in part) || timeAt(objectAt(part, 'time'), 'end') !== undefined
    const messageId = textAt(record, 'messageID')
    const parentToolId = calls.parentOf(record)
    const context = {messageId, parentToolId, at: numberAt(record, 'at')}
    if (type === 'text' && !isOfSubAgent(record)) text = full
    return before === 0 && isComplete
      ? [{type, text: full, ...context}]
      : [{type: `${type}-delta`, text: full.slice(before), ...context}]
  }

  function readCall(record: JsonObject): Draft[] {
    const {error} = objectAt(objectAt(record, 'part'), 'state')
    if (isRejection(error) && !isOfSubAgent(record)) rejection = error
    return calls.read(record)
  }

  function readStep(record: JsonObject): Draft[] {
    const part = objectAt(record, 'part')
    const at = numberAt(record, 'at')
    switch (part['type']) {
      case 'step-start':
        if (!isOfSubAgent(record)) ending = rejection = undefined
        return []
      case 'retry': {
        const {detail} = describeError(part['error'])
        const attempt = numberAt(part, 'attempt')
        return [{type: 'status', status: 'api-retry', detail, attempt, at}]
      }
      default: {
        const reason = textAt(part, 'reason')
        const messageId = textAt(record, 'messageID') ?? ''
        const isCounted = counted.get(messageId) === 'message'
        if (!isCounted) counted.set(messageId, 'steps')
        if (!isOfSubAgent(record)) ending = readEnding(reason, at)
        return isCounted ? [] : [readUsage(part, record, at)]
      }
    }
  }

  function readEnding(reason: string | undefined, at: number | undefined): Ending | undefined {
    if (reason === 'stop') return {ok: true, reason, at}
    if (continuesAfter(reason)) {
      return rejection === undefined ? undefined : {ok: false, reason, error: rejection, at}
    }
    return {ok: false, reason, error: `the model stopped: ${reason ?? 'no reason given'}`, at}
  }

  function readUsage(holder: JsonObject, record: JsonObject, at: number | undefined): Draft {
    const costUsd = Math.max(0, numberAt(holder, 'cost') ?? 0) || undefined
    const used = textAt(record, 'modelID')
    return {type: 'usage', tokens: readTokens(holder, record), costUsd, model: used, at}
  }

  /** The record of an answer follows its parts. */
  function readAnswer(message: JsonObject): Draft[] {
    const at = numberAt(message, 'at')
    const id = textAt(message, 'id') ?? ''
    const drafts: Draft[] = []
    if (!counted.has(id) && hasTokens(readTokens(message))) {
      counted.set(id, 'message')
      drafts.push(readUsage(message, message, at))
    }
    if (message['summary'] === true && 'finish' in message && isFirst(`summary ${id}`)) {
      drafts.push({type: 'status', status: 'compacting', phase: 'end', detail: 'compacted', at})
    }
    if ('error' in message && isFirst(`error ${id}`)) {
      const {name, detail, status} = describeError(message['error'])
      drafts.push({type: 'status', status, detail, at})
      if (!isOfSubAgent(message)) ending = {ok: false, reason: name, error: detail, at}
    }
    // After a summary, OpenCode may continue.
    const isOver = timeAt(objectAt(message, 'time'), 'completed') !== undefined
    if (isOver && message['summary'] !== true && !isOfSubAgent(message)) drafts.push(...endTurn())
    return drafts
  }

  function readModel(message: JsonObject, at: number | undefined): Draft[] {
    const used = textAt(message, 'modelID')
    if (used === undefined || used === model || isOfSubAgent(message) || mainId === undefined)
      return []
    model = used
    return [{type: 'session-start', sessionId: mainId, model, at}]
  }

  function isOfSubAgent(record: JsonObject): boolean {
    return calls.isSubAgent(textAt(record, 'sessionID'))
  }

  function isFirst(key: string | undefined): boolean {
    if (key === undefined || seen.has(key)) return false
    seen.add(key)
    return true
  }

  function endTurn(): Draft[] {
    if (ending === undefined) return []
    const {ok, reason, error, at} = ending
    const errors = error === undefined ? undefined : [error]
    ending = undefined
    return [{type: 'turn-end', ok, text, errors, reason, at}]
  }
}

interface Ending {
  ok: boolean
  reason: string | undefined
  error?: string
  at: number | undefined
}
