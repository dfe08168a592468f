import {formatMoney} from '../../../src/core/text/figures.ts'
import {WEEKDAYS} from './days.ts'

/** A weekday, 0 for Monday, and an hour of the day. */
export interface HeatCell {
  weekday: number
  hour: number
}

/** How strong the colour of an hour is; 0 is no activity. */
export type HeatLevel = 0 | 1 | 2 | 3 | 4

/** The shares of the top from which the higher levels start. */
const LEVEL_2 = 0.22
const LEVEL_3 = 0.55

/** A round value from which hours have the strongest colour; 0 without activity. */
export function pickHeatTop(hours: readonly (readonly number[])[]): number {
  const max = Math.max(0, ...hours.flat())
  if (max === 0) return 0
  const wanted = max * 0.8
  const power = 10 ** Math.floor(Math.log10(wanted))
  return Number(((Math.floor((wanted / power) * 5 + 1e-9) / 5) * power).toPrecision(2))
}

/** The level of an average cost. */
export function toHeatLevel(value: number, top: number): HeatLevel {
  if (value <= 0 || top <= 0) return 0
  if (value >= top) return 4
  const share = value / top
  return share >= LEVEL_3 ? 3 : share >= LEVEL_2 ? 2 : 1
}

/** The average cost at a weekday and an hour. */
export function readHeat(hours: readonly (readonly number[])[], cell: HeatCell): number {
  return hours[cell.weekday]?.[cell.hour] ?? 0
}

/** The hour with the highest average; undefined without activity. */
export function findBusiest(hours: readonly (readonly number[])[]): HeatCell | undefined {
  let busiest: HeatCell | undefined
  let max = 0
  for (const [weekday, values] of hours.entries()) {
    for (const [hour, value] of values.entries()) {
      if (value <= max) continue
      max = value
      busiest = {weekday, hour}
    }
  }
  return busiest
}

/** Moves a selection; it continues at the other side. */
export function moveHeat({weekday, hour}: HeatCell, days: number, hours: number): HeatCell {
  return {weekday: (weekday + days + 7) % 7, hour: (hour + hours + 24) % 24}
}

/** Names an hour: `Tue 13–14 h`. */
export function nameHeat({weekday, hour}: HeatCell): string {
  return `${WEEKDAYS[weekday] ?? ''} ${hour}–${hour + 1} h`
}

/** Describes an average cost in words. */
export function describeHeat(value: number): string {
  return value > 0 ? `≈ ${formatMoney(value)} on average` : 'no activity'
}

/** Adds up the hours of each band of a day. */
export function sumBands(values: readonly number[], bands: readonly [number, number][]): number[] {
  return bands.map(([from, to]) => values.slice(from, to).reduce((sum, value) => sum + value, 0))
}
