import type {SubAgentSample} from '../model/run-model.ts'

/** The usage of each sub-agent at a moment, by its call. */
export function subAgentCostsAt(
  samples: readonly SubAgentSample[],
  at: number,
): ReadonlyMap<string, SubAgentSample> {
  const costs = new Map<string, SubAgentSample>()
  for (const sample of samples) {
    if (sample.at > at) break
    costs.set(sample.toolId, sample)
  }
  return costs
}
