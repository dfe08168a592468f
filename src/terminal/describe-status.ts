import type {StatusEvent} from '../core/events/events.ts'
import {formatClock} from '../core/text/figures.ts'
import {firstLine} from '../core/text/text.ts'
import type {Step} from './line-maker.ts'

/** What the view says of a status of the agent; `undefined` when it says nothing, or only to those who want to know more. */
export function describeStatus(event: StatusEvent, verbose: number): Step | undefined {
  const {status, detail, phase, until, attempt, of, isBlocking = false} = event
  const body = firstLine(detail)
  switch (status) {
    case 'api-retry': {
      const count = attempt === undefined ? '' : ` ${attempt}${of === undefined ? '' : `/${of}`}`
      return {role: 'waiting', word: `API retry${count}`, body}
    }
    case 'rate-limit': {
      // A share of the allowance is a detail; a used up allowance stops the agent.
      if (!isBlocking) {
        const resets = until === undefined ? '' : `, resets ${formatClock(until)}`
        return verbose > 0 ? {role: 'waiting', word: 'Limit', body: body + resets} : undefined
      }
      const word = until === undefined ? 'Rate-limited' : `Rate-limited until ${formatClock(until)}`
      return {role: 'waiting', word, body}
    }
    case 'compacting':
      return {role: 'waiting', word: 'Compacting', body: phase === 'start' ? '' : body}
    case 'model-fallback':
      return {role: 'waiting', word: 'Model', body}
    case 'warning':
      return {role: 'waiting', word: 'Warning', body}
    case 'interrupted':
      return {role: 'bad', word: 'Interrupted', body: ''}
    case 'wake-up': {
      const when = until === undefined ? '' : ` at ${formatClock(until)}`
      return phase === 'end' ? undefined : {role: 'waiting', word: `Wakes up${when}`, body}
    }
    case 'hook':
      if (phase === 'start') return undefined
      return verbose > 0 ? {role: 'fact', word: 'Hook', body} : undefined
    case 'notice':
      return verbose > 0 ? {role: 'fact', word: 'Note', body} : undefined
    case 'working':
      return undefined
    default:
      return status satisfies never
  }
}
