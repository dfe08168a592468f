import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {WORK_WORDS, type WorkKind} from './work.ts'

/** A stretch of a pulse, in slots from its left edge. */
export interface PulseSegment {
  start: number
  length: number
  kind: WorkKind | 'model' | 'wait'
  /** A tool failed at its end. */
  hasFailed: boolean
}

/** A pulse to draw: so many slots, and what is in them. Slots without anything are in none. */
export interface PulseDrawing {
  slots: number
  segments: PulseSegment[]
}

/** So many slots of 5 seconds are shown of a run that goes on. */
const LIVE_SLOTS = 120

/** The pulse of a run, if the hub tells it: one character for each slot, the oldest first. */
export function pulseOf({pulse = ''}: RunSummary): string {
  return pulse.slice(-LIVE_SLOTS)
}

/** What to draw of a pulse. While a run goes on the right edge is now; one that is over takes all the width. */
export function toPulseDrawing(pulse: string, isLive: boolean): PulseDrawing {
  const slots = isLive ? LIVE_SLOTS : Math.max(pulse.length, 1)
  const offset = slots - pulse.length
  const segments: PulseSegment[] = []
  for (let at = 0; at < pulse.length; at++) {
    const letter = pulse.charAt(at)
    const kind = KINDS[letter.toLowerCase()]
    if (kind === undefined) continue
    const hasFailed = letter !== letter.toLowerCase()
    const last = segments.at(-1)
    const isNext = last !== undefined && last.start + last.length === offset + at
    // What comes after a failure is another call.
    if (isNext && last.kind === kind && !last.hasFailed) {
      last.length++
      last.hasFailed = hasFailed
    } else {
      segments.push({start: offset + at, length: 1, kind, hasFailed})
    }
  }
  return {slots, segments}
}

/** A pulse in words, for those who cannot see it. */
export function describePulse({segments}: PulseDrawing): string {
  const failures = segments.filter(({hasFailed}) => hasFailed).length
  const kinds = [...new Set(segments.map(({kind}) => WORDS[kind]))]
  if (kinds.length === 0) return 'No activity'
  const failed = failures === 0 ? '' : `; ${failures} failed`
  return `Activity: ${kinds.join(', ')}${failed}`
}

const KINDS: Readonly<Record<string, PulseSegment['kind']>> = {
  m: 'model',
  l: 'look',
  c: 'change',
  r: 'shell',
  x: 'reach',
  h: 'hand',
  o: 'note',
  w: 'wait',
}

const WORDS: Readonly<Record<PulseSegment['kind'], string>> = {
  ...WORK_WORDS,
  model: 'Model',
  wait: 'Wait',
}
