import type {StatusEvent} from '../core/events/events.ts'
import {formatClock} from '../core/text/figures.ts'
import {firstLine} from '../core/text/text.ts'
import {formatAttempt} from '../core/words/state-words.ts'
import {describeStatus, NOTICE_WORDS, type NoticeKind} from '../core/words/status-words.ts'
import type {Role} from './colors.ts'
import type {Step} from './line-maker.ts'

/** Describes a status event as a line; `undefined` when there is none, or only a more verbose view has one. */
export function describeStatusLine(event: StatusEvent, verbose: number): Step | undefined {
  const notice = describeStatus(event)
  if (notice === undefined || (verbose === 0 && VERBOSE_ONLY.has(notice.kind))) return undefined
  const {kind, text} = notice
  const facts = [NOTICE_WORDS[kind], describeFact(kind, event)].filter((part) => part !== '')
  const body = kind === 'interrupted' ? '' : firstLine(text) + describeReset(kind, event)
  return {role: ROLES[kind] ?? 'waiting', word: facts.join(' '), body}
}

const VERBOSE_ONLY: ReadonlySet<NoticeKind> = new Set([
  'usage-limit',
  'hook',
  'hook-failed',
  'note',
])

const ROLES: Readonly<Partial<Record<NoticeKind, Role>>> = {
  hook: 'fact',
  'hook-failed': 'fact',
  interrupted: 'bad',
  note: 'fact',
}

/** The count or time that stands in the word itself: `API retry 3/10`, `Rate-limited until 15:06`. */
function describeFact(kind: NoticeKind, event: StatusEvent): string {
  const {until} = event
  if (kind === 'api-retry') return formatAttempt(event, '/')
  if (until === undefined) return ''
  if (kind === 'rate-limited') return `until ${formatClock(until)}`
  return kind === 'wake-up' ? `at ${formatClock(until)}` : ''
}

function describeReset(kind: NoticeKind, {until}: StatusEvent): string {
  return kind === 'usage-limit' && until !== undefined ? `, resets ${formatClock(until)}` : ''
}
