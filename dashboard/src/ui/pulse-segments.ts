import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {WORK_WORDS, type WorkKind} from './work.ts'

/** A segment of a pulse, in slots from its left edge. */
export interface PulseSegment {
  start: number
  length: number
  kind: WorkKind | 'model' | 'wait'
  /** Whether a tool failed at its end. */
  hasFailed: boolean
}

/** The segments of a pulse; empty slots belong to none. */
export interface PulseDrawing {
  slots: number
  segments: PulseSegment[]
}

/** How many slots of 5 seconds are shown of a live run. */
const LIVE_SLOTS = 120

/** The pulse of a run, if the hub sends it: one character per slot, the oldest first. */
export function pulseOf({pulse = ''}: RunSummary): string {
  return pulse.slice(-LIVE_SLOTS)
}

/** Whether activity of a run was recorded. */
export function hasPulse(run: RunSummary): boolean {
  return /[a-z]/i.test(pulseOf(run))
}

/** The segments to draw. The right edge of a live run is now; an ended run takes the full width. */
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
    // After a failure a new call starts.
    if (isNext && last.kind === kind && !last.hasFailed) {
      last.length++
      last.hasFailed = hasFailed
    } else {
      segments.push({start: offset + at, length: 1, kind, hasFailed})
    }
  }
  return {slots, segments}
}

/** Describes a pulse in words, for screen readers. */
export function describePulse({segments}: PulseDrawing): string {
  const failures = segments.filter(({hasFailed}) => hasFailed).length
  const kinds = [...new Set(segments.map(({kind}) => WORDS[kind]))]
  if (kinds.length === 0) return 'No activity'
  const failed = failures === 0 ? '' : `; ${failures} failed`
  return `Activity: ${kinds.join(', ')}${failed}`
}

const KINDS: Readonly<Record<string, PulseSegment['kind']>> = {
  m: 'model',
  l: 'read',
  c: 'edit',
  r: 'shell',
  x: 'web',
  h: 'agent',
  o: 'note',
  w: 'wait',
}

const WORDS: Readonly<Record<PulseSegment['kind'], string>> = {
  ...WORK_WORDS,
  model: 'Model',
  wait: 'Wait',
}
