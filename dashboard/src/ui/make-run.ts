import type {RunSummary} from '../../../src/core/index.ts'

/** A run to try things with: it works, and nothing is known of it but what is given. */
export function makeRun(fields: Partial<RunSummary> = {}): RunSummary {
  const runId = fields.runId ?? '7f3a'
  return {
    runId,
    workOrderId: runId,
    agent: 'claude',
    title: 'Fix the tests',
    cwd: '/home/dev/ledger-api',
    startedAt: 0,
    state: 'working',
    isStuck: false,
    percentage: 0,
    phase: '',
    tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
    costUsd: null,
    isEstimate: false,
    turns: 0,
    toolCount: 0,
    failedToolCount: 0,
    deniedCount: 0,
    fileCount: 0,
    added: 0,
    removed: 0,
    plan: [],
    requests: [],
    taskCount: 0,
    malformedCount: 0,
    unknownCount: 0,
    ...fields,
  }
}
