import type {PermissionEvent, StatusEvent} from '../../../src/core/events/events.ts'
import {summarize} from '../../../src/core/events/summarize.ts'
import {isRecord} from '../../../src/core/wire/json.ts'
import type {NoticeEntry} from './entry.ts'

/** What a notice says. */
export type Notice = Pick<NoticeEntry, 'tone' | 'icon' | 'tag' | 'text' | 'isWait'>

/** What a status of the agent is in the feed; nothing when it says nothing. */
export function describeStatus(
  event: Omit<StatusEvent, 'type' | 'line' | 'agent'>,
): Notice | undefined {
  const {status, detail, phase, at, until, attempt, of, isBlocking = false, ok} = event
  switch (status) {
    case 'api-retry': {
      const tries =
        attempt === undefined ? '' : ` Try ${attempt}${of === undefined ? '' : ` of ${of}`}.`
      return {
        tone: 'wait',
        icon: 'retry',
        tag: 'API retry',
        text: `${sentence(detail)}${tries}`,
        isWait: true,
      }
    }
    case 'rate-limit': {
      const isWait = isBlocking && until !== undefined && until > at
      return {tone: 'wait', icon: 'gauge', tag: 'Rate limit', text: sentence(detail), isWait}
    }
    case 'compacting': {
      const isWait = phase === 'start'
      const tag = isWait ? 'Compacting' : 'Compacted'
      const text = isWait ? 'Making room in the context' : detail.replace(/^compacted,? ?/, '')
      return {tone: 'wait', icon: 'compact', tag, text, isWait}
    }
    case 'model-fallback':
      return {tone: 'wait', icon: 'swap', tag: 'Model switched', text: detail, isWait: false}
    case 'wake-up':
      return phase === 'end'
        ? undefined
        : {tone: 'wait', icon: 'hourglass', tag: 'Wake-up planned', text: detail, isWait: false}
    case 'hook':
      if (phase === 'start') return undefined
      return ok === false
        ? {tone: 'bad', icon: 'stuck', tag: 'Hook failed', text: detail, isWait: false}
        : {tone: 'idle', icon: 'flag', tag: 'Hook', text: detail, isWait: false}
    case 'warning':
      return {tone: 'bad', icon: 'stuck', tag: 'Warning', text: detail, isWait: false}
    case 'interrupted':
      return {tone: 'idle', icon: 'stop', tag: 'Interrupted', text: detail, isWait: false}
    case 'notice':
      return {tone: 'idle', icon: 'text', tag: 'Note', text: detail, isWait: false}
    case 'working':
      return undefined
    default:
      return status satisfies never
  }
}

/** What the feed says of something that the agent may not do. */
export function describeDenial({name, input, reason = ''}: PermissionEvent): Notice {
  const summary = isRecord(input) ? summarize('Bash', input) || summarize('Edit', input) : ''
  const what = summary === '' ? name : `${name}: ${summary}`
  const text = reason === '' ? what : `${what} · ${firstSentence(reason)}`
  return {tone: 'bad', icon: 'hand', tag: 'Denied', text, isWait: false}
}

function firstSentence(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? ''
}

function sentence(text: string): string {
  const trimmed = text.trim()
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return first === '' || /[.!?]$/.test(first) ? first : `${first}.`
}
