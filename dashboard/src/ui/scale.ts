import {formatOffset} from './figures.ts'

/** The visible time range, in milliseconds since 1970. */
export interface View {
  start: number
  end: number
}

/** The zoom requested by the user. */
export type Zoom = {type: 'fit'} | {type: 'last'} | {type: 'hand'; view: View}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const LAST = 5 * MINUTE
const LEAST_SPAN = 200

/** The range of a complete run. While it is live the end moves in steps, so that bars do not creep. */
export function toFitView(startedAt: number, edge: number, isLive: boolean): View {
  const elapsed = Math.max(0, edge - startedAt)
  // An ended run gets a small margin at its end.
  const span = isLive ? pickFitSpan(elapsed) : Math.max(SECOND, elapsed * 1.02)
  return {start: startedAt, end: startedAt + span}
}

/** The visible range for a zoom. */
export function toView(zoom: Zoom, fit: View, edge: number, isLive: boolean): View {
  if (zoom.type === 'fit') return fit
  if (zoom.type === 'hand') return zoom.view
  // Moves in steps too: a bar that creeps is hard to point at.
  const stepped =
    fit.start + Math.ceil((edge - fit.start + 5 * SECOND) / (10 * SECOND)) * 10 * SECOND
  const end = isLive ? Math.min(stepped, fit.end) : fit.end
  const start = Math.max(fit.start, end - LAST)
  return {start, end: Math.min(fit.end, Math.max(end, start + LAST))}
}

/** Zooms around a fixed time. Returns the complete range when it would exceed it. */
export function zoomView(view: View, factor: number, anchor: number, fit: View): Zoom {
  const span = Math.max(LEAST_SPAN, (view.end - view.start) * factor)
  if (span >= fit.end - fit.start) return {type: 'fit'}
  const share = (anchor - view.start) / (view.end - view.start)
  return {type: 'hand', view: clampView(anchor - share * span, span, fit)}
}

/** Pans within the complete range. */
export function panView(view: View, ms: number, fit: View): Zoom {
  return {type: 'hand', view: clampView(view.start + ms, view.end - view.start, fit)}
}

/** Pans just enough to show a span. */
export function revealInView(view: View, start: number, end: number, fit: View): View {
  const span = view.end - view.start
  if (start >= view.start && start < view.end) return view
  const margin = span * 0.1
  return start < view.start
    ? clampView(start - margin, span, fit)
    : clampView(Math.min(start - margin, end + margin - span), span, fit)
}

/** The times of the ticks, with a minimum distance in pixels. */
export function pickTicks(
  view: View,
  origin: number,
  width: number,
  leastGap: number,
): {step: number; times: readonly number[]} {
  const msPerPixel = (view.end - view.start) / Math.max(1, width)
  const step = pickTickStep(msPerPixel * leastGap)
  const times: number[] = []
  for (let index = Math.ceil((view.start - origin) / step); ; index++) {
    const time = origin + index * step
    if (time > view.end) return {step, times}
    times.push(time)
  }
}

/** The label of a tick: `0:36`, with tenths when ticks are closer than a second. */
export function formatTick(offset: number, step: number): string {
  if (step >= SECOND) return formatOffset(Math.round(offset))
  const tenths = Math.round(offset / 100)
  return `${formatOffset(Math.floor(tenths / 10) * SECOND)}.${tenths % 10}`
}

/** The first sufficient step of 30 s, 1, 2, 5, 10, 20, 40 min … */
function pickFitSpan(ms: number): number {
  for (const span of [30 * SECOND, MINUTE, 2 * MINUTE]) if (ms < span) return span
  let span = 5 * MINUTE
  while (span <= ms) span *= 2
  return span
}

const TICKS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
]

function pickTickStep(least: number): number {
  const step = TICKS.find((candidate) => candidate >= least)
  if (step !== undefined) return step
  let days = 48 * HOUR
  while (days < least) days *= 2
  return days
}

function clampView(start: number, span: number, fit: View): View {
  const clamped = Math.max(fit.start, Math.min(start, fit.end - span))
  return {start: clamped, end: clamped + span}
}
