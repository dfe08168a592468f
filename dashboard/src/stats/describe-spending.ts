import type {Tokens} from '../../../src/core/events/events.ts'
import type {Sample} from '../model/run-model.ts'
import {formatCost, formatOffset, formatTokens} from '../ui/figures.ts'

/** Describes the cost chart in words. */
export function describeCost(samples: readonly Sample[], startedAt: number): string {
  const last = samples.findLast(({costUsd}) => costUsd !== null)
  if (last?.costUsd === undefined || last.costUsd === null) return 'Cost over time: unknown'
  const {costUsd, isEstimate, at} = last
  const half = samples.find((sample) => (sample.costUsd ?? 0) >= costUsd / 2)
  const when = half === undefined || costUsd === 0 ? '' : `, half of it by ${offset(half.at)}`
  return `Cost over time: ${formatCost(costUsd, isEstimate)} at ${offset(at)}${when}`

  function offset(moment: number): string {
    return formatOffset(moment - startedAt)
  }
}

/** Describes the context chart in words. */
export function describeContext(
  samples: readonly Sample[],
  startedAt: number,
  compactions: readonly number[],
): string {
  const known = samples.filter(({context}) => context !== undefined)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return 'Context over time: unknown'
  const fullest = known.reduce((one, other) => (size(other) > size(one) ? other : one), first)
  const parts = [
    `${formatTokens(size(first))} at first`,
    `${formatTokens(size(fullest))} at most, at ${formatOffset(fullest.at - startedAt)}`,
    `${formatTokens(size(last))} at last`,
  ]
  const compacted = describeCompactions(compactions, startedAt)
  return `Context over time: ${[...parts, compacted].filter((part) => part !== '').join('; ')}`
}

/** How often the context was compacted, and when: `compacted at 10:55`. */
export function describeCompactions(compactions: readonly number[], startedAt: number): string {
  const last = compactions.at(-1)
  if (last === undefined) return ''
  const when = formatOffset(last - startedAt)
  return compactions.length === 1
    ? `compacted at ${when}`
    : `compacted ${compactions.length} times, last at ${when}`
}

/** Describes the token chart in words. */
export function describeTokens({input, output, cacheRead, cacheWrite}: Tokens): string {
  const all = formatTokens(input + output + cacheRead + cacheWrite)
  const kinds = [
    `${formatTokens(cacheRead)} read from a cache`,
    `${formatTokens(cacheWrite)} written to it`,
    `${formatTokens(input)} other input`,
    `${formatTokens(output)} output`,
  ]
  return `Tokens over time: ${all} at last; ${kinds.join(', ')}`
}

/** The share of input that came from a cache; undefined without input. */
export function shareOfCache({input, cacheRead, cacheWrite}: Tokens): number | undefined {
  const all = input + cacheRead + cacheWrite
  return all === 0 ? undefined : cacheRead / all
}

function size({context = 0}: Sample): number {
  return context
}
