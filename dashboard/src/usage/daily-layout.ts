import type {Unit} from './amounts.ts'
import {formatAmount} from './cost.tsx'
import {nameColumn, type Column} from './stack.ts'

/** The places of a chart in pixels. */
export interface ChartFrame {
  width: number
  height: number
  /** The edges of the area with columns. */
  left: number
  upper: number
  lower: number
  /** The value at the upper edge. */
  top: number
  /** The width of a column with the space around it. */
  unit: number
}

/** A part of a column. */
export interface Bar {
  /** The index of the column. */
  column: number
  /** The index of the series. */
  part: number
  x: number
  y: number
  width: number
  height: number
}

const HEIGHT = 232
const UPPER = 10
const FOOT = 22
const DIGIT_WIDTH = 6.5
const MAX_BAR_WIDTH = 28

/** Places the columns of a chart beside the labels of its axis. */
export function toFrame({
  width,
  count,
  top,
  ticks,
}: {
  width: number
  count: number
  top: number
  ticks: readonly string[]
}): ChartFrame {
  const left = Math.ceil(Math.max(...ticks.map(({length}) => length)) * DIGIT_WIDTH) + 10
  const unit = (width - left) / Math.max(1, count)
  return {width, height: HEIGHT, left, upper: UPPER, lower: HEIGHT - FOOT, top, unit}
}

/** The vertical position of a value. */
export function yOf({upper, lower, top}: ChartFrame, value: number): number {
  return lower - (lower - upper) * (value / top)
}

/** Places the parts of each column above each other, with a gap of a pixel. */
export function toBars(columns: readonly Column[], frame: ChartFrame): Bar[] {
  const width = Math.max(2, Math.min(MAX_BAR_WIDTH, frame.unit * 0.72))
  return columns.flatMap(({parts}, column) => {
    const x = frame.left + column * frame.unit + (frame.unit - width) / 2
    let below = 0
    return parts.flatMap((amount, part): Bar[] => {
      const value = amount?.value ?? 0
      if (value <= 0) return []
      const lower = yOf(frame, below)
      below += value
      const y = yOf(frame, below)
      return [{column, part, x, y, width, height: Math.max(1, lower - y - 1)}]
    })
  })
}

/** Describes a chart in words. */
export function describeColumns(columns: readonly Column[], unit: Unit, step: number): string {
  const highest = columns.toSorted((a, b) => (b.total.value ?? 0) - (a.total.value ?? 0))[0]
  if (highest === undefined || (highest.total.value ?? 0) <= 0) return 'No usage.'
  return `Highest: ${nameColumn(highest, step)}, ${formatAmount(highest.total, unit)}.`
}
