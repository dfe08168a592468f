import type {UsageOverview} from '../src/hub/usage-api.ts'

/** The usage of a day, to try things with. */
export function makeCell(
  fields: Partial<UsageOverview['cells'][number]> = {},
): UsageOverview['cells'][number] {
  return {
    day: '2026-11-16',
    agent: 'claude',
    model: 'opus-5-5',
    project: '/home/dev/ledger-api',
    tokens: {input: 100, output: 20, cacheRead: 800, cacheWrite: 80, reasoning: 5},
    costUsd: 1,
    isEstimate: true,
    requests: 1,
    sessions: 1,
    ...fields,
  }
}
