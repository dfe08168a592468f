import type {PermissionEvent, StatusEvent} from '../../../src/core/events/events.ts'
import {summarize} from '../../../src/core/events/summarize.ts'
import {firstLine} from '../../../src/core/text/text.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import {formatAttempt} from '../../../src/core/words/state-words.ts'
import {describeStatus, type StatusNotice} from '../../../src/core/words/status-words.ts'

/** Returns the notice for a status event, with its text in sentences; `undefined` when the feed shows none. */
export function toStatusNotice(
  event: Omit<StatusEvent, 'type' | 'line' | 'agent'>,
): StatusNotice | undefined {
  const notice = describeStatus(event)
  switch (notice?.kind) {
    case 'api-retry': {
      const attempt = formatAttempt(event, ' of ')
      const text = `${toSentence(notice.text)}${attempt === '' ? '' : ` Try ${attempt}.`}`
      return {...notice, text}
    }
    case 'rate-limited':
    case 'usage-limit':
      return {...notice, text: toSentence(notice.text)}
    case 'compacting':
      return {...notice, text: notice.text || 'Compacting the context'}
    default:
      return notice
  }
}

/** Returns the notice for a tool call that was refused. */
export function toDenialNotice({name, input, reason = ''}: PermissionEvent): StatusNotice {
  const summary = isRecord(input) ? summarize('Bash', input) || summarize('Edit', input) : ''
  const call = summary === '' ? name : `${name}: ${summary}`
  const text = reason === '' ? call : `${call} · ${firstLine(reason).slice(0, MAX_REASON_LENGTH)}`
  return {kind: 'denied', text, isWait: false}
}

const MAX_REASON_LENGTH = 200

function toSentence(text: string): string {
  const trimmed = text.trim()
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return first === '' || /[.!?]$/.test(first) ? first : `${first}.`
}
