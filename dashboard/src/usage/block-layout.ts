import type {UsageBlock} from '../hub/usage-api.ts'

/** The lines of the chart of a block, as SVG paths. */
export interface BlockDrawing {
  /** The cost so far. */
  line: string
  area: string
  /** From the cost so far to the expected cost; empty without one. */
  projection: string
  /** The last known cost. */
  end: {x: number; y: number}
}

/** The size of the area with lines. */
export interface BlockFrame {
  width: number
  height: number
}

const TOP_MARGIN = 6

/** Draws the cost of a block over its five hours. */
export function drawBlock(
  {from, to, points, costUsd, projectedUsd}: UsageBlock,
  {width, height}: BlockFrame,
  now: number,
): BlockDrawing {
  const top = Math.max(projectedUsd ?? 0, costUsd ?? 0, ...points.map(([, usd]) => usd))
  const xOf = (at: number) => round(Math.min(Math.max((at - from) / (to - from), 0), 1) * width)
  const yOf = (usd: number) =>
    round(top > 0 ? height - (usd / top) * (height - TOP_MARGIN) : height)
  const last = Math.min(now, to)
  const known = points.filter(([at]) => at <= last)
  const usd = known.at(-1)?.[1] ?? 0
  const all: [number, number][] = [[from, 0], ...known, [last, usd]]
  const line = all.map(([at, value], index) => `${index === 0 ? 'M' : 'L'}${xOf(at)} ${yOf(value)}`)
  const end = {x: xOf(last), y: yOf(usd)}
  return {
    line: line.join(''),
    area: `${line.join('')}L${end.x} ${height}L0 ${height}z`,
    projection:
      projectedUsd === null || now >= to
        ? ''
        : `M${end.x} ${end.y}L${xOf(to)} ${yOf(projectedUsd)}`,
    end,
  }
}

/** The share of the limit at the end of a block, if the rate stays; undefined when it is unknown. */
export function projectShare({usedShare, costUsd, projectedUsd}: UsageBlock): number | undefined {
  if (usedShare === null || projectedUsd === null || costUsd === null || costUsd <= 0) {
    return undefined
  }
  return (usedShare * projectedUsd) / costUsd
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
