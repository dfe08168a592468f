import type {Sample} from '../model/run-model.ts'

/** The lines of a chart over shared times, in milliseconds from the start of the run. */
export interface ChartLines {
  times: readonly number[]
  /** `null` where the value is unknown. */
  lines: readonly (readonly (number | null)[])[]
}

/** The time range: the last sample extends to the edge. */
export interface ChartRange {
  startedAt: number
  edge: number
}

/** The cost over time, starting at 0. */
export function toCostLines(samples: readonly Sample[], range: ChartRange): ChartLines {
  const isKnown = samples[0] !== undefined && samples[0].costUsd !== null
  return draw(samples, range, isKnown, ({costUsd}) => [costUsd])
}

/** The tokens over time, stacked: all, without output, without input too, cache reads. */
export function toTokenLines(samples: readonly Sample[], range: ChartRange): ChartLines {
  return draw(samples, range, true, ({input, output, cacheRead, cacheWrite}) => {
    const cached = cacheRead + cacheWrite
    return [cached + input + output, cached + input, cached, cacheRead]
  })
}

/** The context size over time. */
export function toContextLines(samples: readonly Sample[], range: ChartRange): ChartLines {
  const told = samples.filter(({context}) => context !== undefined)
  return draw(told, range, false, ({context = null}) => [context])
}

/** The maximum of an axis: the first sufficient round number whose half is round too. */
export function pickTop(largest: number): number {
  if (!(largest > 0)) return 1
  const unit = 10 ** Math.floor(Math.log10(largest))
  const digit = [1, 2, 4, 6, 8, 10].find((one) => one * unit >= largest * (1 - 1e-9)) ?? 10
  // 6 times 0.01 is not exactly 0.06.
  return Number((digit * unit).toPrecision(1))
}

function draw(
  samples: readonly Sample[],
  {startedAt, edge}: ChartRange,
  isFromZero: boolean,
  read: (sample: Sample) => readonly (number | null)[],
): ChartLines {
  const last = samples.at(-1)
  if (last === undefined) return {times: [], lines: []}
  const values = samples.map(read)
  const times = samples.map(({at}) => Math.max(0, at - startedAt))
  const [first] = values
  if (isFromZero && first !== undefined) {
    times.unshift(0)
    values.unshift(first.map(() => 0))
  }
  if (edge > last.at) {
    times.push(edge - startedAt)
    values.push(read(last))
  }
  const lines = (first ?? []).map((_, line) => values.map((row) => row[line] ?? null))
  return {times, lines}
}
