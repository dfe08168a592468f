import type {Draft, Translator} from '../../core/events/adapter.ts'
import {reportPrompt} from '../../core/events/drafts.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {createMetricsReader} from './transcript-metrics.ts'
import {
  callsOf,
  isMain,
  promptOf,
  readUsage,
  startOf,
  type RequestUsage,
} from './transcript-rows.ts'
import {createTranslator} from './translate.ts'

/** Translates the rows of a session of Copilot, most of which it also prints. */
export function createTranscriptTranslator(context: TranscriptContext): Translator {
  const printed = createTranslator(context)
  /** Requests that were counted. */
  const counted = new Set<string>()
  const metrics = createMetricsReader()
  let startedAt: number | undefined
  let session: (Draft & {type: 'session-start'}) | undefined
  /** The answer in this step; a step without calls ends the turn. */
  let step: {text: string; hasCalled: boolean} | undefined
  let answer = ''

  return {
    translate(row) {
      const at = timeAt(row, 'timestamp')
      startedAt ??= startOf(row)
      const requests = metrics.read(row)
      // A fork begins with the rows of its origin.
      if (at !== undefined && at < (startedAt ?? 0)) return []
      const drafts = [...readRow(row), ...countRequests(row, requests)]
      for (const draft of drafts) if (at !== undefined) draft.at ??= at
      return drafts
    },
  }

  function readRow(row: JsonObject): Draft[] {
    const data = objectAt(row, 'data')
    switch (row['type']) {
      case 'session.start':
        return keepSession(printed.translate(row))
      case 'session.resume':
        return changeModel(textAt(data, 'selectedModel'))
      case 'session.model_change':
        return isMain(row) ? changeModel(textAt(data, 'newModel')) : []
      case 'user.message':
        return startTurn(row)
      case 'assistant.turn_start':
        if (isMain(row)) step = undefined
        // Texts are compared with those of the same request.
        return [...printed.translate({...row, type: 'model.call_start'}), ...printed.translate(row)]
      case 'assistant.message':
        if (isMain(row)) readAnswer(data)
        return printed.translate(row)
      case 'assistant.turn_end':
        return isMain(row) ? endStep() : []
      case 'session.error':
        return isMain(row) ? [failTurn(data)] : printed.translate(row)
      case 'session.compaction_complete':
        return [endCompaction(data)]
      case 'session.info':
        // Its text has the ids of both sessions.
        return data['infoType'] === 'fork' ? [] : printed.translate(row)
      default:
        return printed.translate(row)
    }
  }

  function keepSession(drafts: Draft[]): Draft[] {
    for (const draft of drafts) if (draft.type === 'session-start') session = {...draft}
    return drafts
  }

  function changeModel(model: string | undefined): Draft[] {
    if (session === undefined || model === undefined || model === session.model) return []
    session = {...session, model, at: undefined}
    return [{...session}]
  }

  function startTurn(row: JsonObject): Draft[] {
    return reportPrompt(promptOf(row) ?? '')
  }

  function readAnswer(data: JsonObject): void {
    answer = textAt(data, 'content') || answer
    const hasCalled = step?.hasCalled === true || callsOf(data).length > 0
    step = {text: answer, hasCalled}
  }

  function endStep(): Draft[] {
    const ended = step
    step = undefined
    if (ended === undefined || ended.hasCalled) return []
    answer = ''
    return [{type: 'turn-end', ok: true, text: ended.text}]
  }

  function failTurn(data: JsonObject): Draft {
    const message = textAt(data, 'message') ?? textAt(data, 'errorType') ?? 'error'
    const text = answer
    answer = ''
    return {type: 'turn-end', ok: false, text, errors: [message]}
  }

  function countRequests(row: JsonObject, requests: readonly RequestUsage[]): Draft[] {
    const usage = readUsage(row)
    const all = usage === undefined ? requests : [usage]
    return all.flatMap(({key, tokens, model}): Draft[] => {
      if (counted.has(key)) return []
      counted.add(key)
      return [{type: 'usage', tokens, model: model ?? session?.model}]
    })
  }
}

function endCompaction(data: JsonObject): Draft {
  const failure = textAt(data, 'error') ?? textAt(data, 'failureReason')
  const detail = data['success'] === false ? (failure ?? 'failed') : 'compacted'
  return {type: 'status', status: 'compacting', phase: 'end', detail}
}
