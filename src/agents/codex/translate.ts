import type {Draft, Translator, TranslatorContext} from '../../core/events/adapter.ts'
import {objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createItemReader} from './items.ts'
import {createLegacyTranslator} from './legacy/translate.ts'
import {errorText, readError} from './errors.ts'
import {createUsageCounter} from './usage.ts'

/** Translates the output of Codex, also of versions before 0.42, whose lines have no type. */
export function createTranslator(context: TranslatorContext): Translator {
  const items = createItemReader()
  const usage = createUsageCounter()
  const legacy = createLegacyTranslator(context)
  let threadId: string | undefined
  /** The last text of this turn. */
  let answer = ''

  return {
    translate: (record) =>
      typeof record['type'] === 'string' ? read(record) : legacy.translate(record),
    end: () => [...items.end(), ...legacy.end()],
  }

  function read(record: JsonObject): Draft[] {
    switch (record['type']) {
      case 'thread.started':
        return startThread(textAt(record, 'thread_id') ?? '')
      case 'turn.started':
        answer = ''
        return []
      case 'item.started':
      case 'item.updated':
        return items.read(objectAt(record, 'item'), false)
      case 'item.completed':
        return keepAnswer(items.read(objectAt(record, 'item'), true))
      case 'error':
        return [readError(toText(record['message']))]
      case 'turn.completed':
        return [...usage.count(record['usage']), {type: 'turn-end', ok: true, text: answer}]
      case 'turn.failed':
        return [failTurn(record)]
      default:
        return []
    }
  }

  function startThread(sessionId: string): Draft[] {
    // A thread that continues keeps its token counts.
    if (sessionId !== threadId) usage.reset()
    threadId = sessionId
    items.reset()
    return [{type: 'session-start', sessionId, isRestart: true}]
  }

  function keepAnswer(drafts: Draft[]): Draft[] {
    for (const draft of drafts) if (draft.type === 'text') answer = draft.text
    return drafts
  }

  function failTurn(record: JsonObject): Draft {
    const message = textAt(objectAt(record, 'error'), 'message') ?? toText(record['error'])
    const errors = [errorText(message) || 'no reason given']
    return {type: 'turn-end', ok: false, text: answer, errors}
  }
}
