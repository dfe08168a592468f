import type {StatusEvent} from '../events/events.ts'
import {PROMPT_PREFIX} from '../events/drafts.ts'
import {firstLine} from '../text/text.ts'

/** The word before each notice. */
export const NOTICE_WORDS = {
  'api-retry': 'API retry',
  /** The allowance is used up: the agent waits. */
  'rate-limited': 'Rate-limited',
  /** A report of how much of the allowance is used. */
  'usage-limit': 'Limit',
  compacting: 'Compacting',
  compacted: 'Compacted',
  'model-fallback': 'Model switched',
  'wake-up': 'Wake-up planned',
  hook: 'Hook',
  'hook-failed': 'Hook failed',
  warning: 'Warning',
  interrupted: 'Interrupted',
  note: 'Note',
  /** The user typed it. */
  prompt: 'Prompt',
  /** A tool call was refused. */
  denied: 'Denied',
} as const

/** The kinds of notices. */
export type NoticeKind = keyof typeof NOTICE_WORDS

/** A notice about the run, as the agent reported it. */
export interface StatusNotice {
  kind: NoticeKind
  /** The text after the word; empty when the word is enough. */
  text: string
  /** Whether the agent makes no progress until a later event. */
  isWait: boolean
}

/** Describes a status event as a notice; `undefined` when there is nothing to show. */
export function describeStatus(
  event: Omit<StatusEvent, 'type' | 'line' | 'agent'>,
): StatusNotice | undefined {
  const {status, detail: text, phase, at, until = 0, isBlocking = false, ok} = event
  switch (status) {
    case 'api-retry':
      return {kind: status, text, isWait: true}
    case 'rate-limit':
      return isBlocking
        ? {kind: 'rate-limited', text, isWait: until > at}
        : {kind: 'usage-limit', text, isWait: false}
    case 'compacting': {
      const kind = phase === 'end' ? 'compacted' : 'compacting'
      return {kind, text: withoutWord(text, kind), isWait: phase === 'start'}
    }
    case 'wake-up':
      return phase === 'end' ? undefined : {kind: status, text, isWait: false}
    case 'hook':
      if (phase === 'start') return undefined
      return {kind: ok === false ? 'hook-failed' : 'hook', text, isWait: false}
    case 'notice':
      return text.startsWith(PROMPT_PREFIX)
        ? {kind: 'prompt', text: firstLine(text.slice(PROMPT_PREFIX.length)), isWait: false}
        : {kind: 'note', text: firstLine(text), isWait: false}
    case 'model-fallback':
    case 'warning':
    case 'interrupted':
      return {kind: status, text, isWait: false}
    case 'working':
      return undefined
    default:
      return status satisfies never
  }
}

/** Removes the first word of a text when it repeats the word of the notice: `compacted, auto` becomes `auto`. */
function withoutWord(text: string, word: string): string {
  return text.startsWith(word) ? text.slice(word.length).replace(/^[,: ]+/, '') : text
}
