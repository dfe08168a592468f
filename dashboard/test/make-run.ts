import type {RunSummary} from '../../src/core/run/run-summary.ts'
import {EMPTY_RUN} from '../src/hub/empty-run.ts'

/** A run to try things with: it works, and nothing is known of it but what is given. */
export function makeRun(fields: Partial<RunSummary> = {}): RunSummary {
  const runId = fields.runId ?? '7f3a'
  return {
    ...EMPTY_RUN,
    runId,
    workOrderId: runId,
    agent: 'claude',
    title: 'Fix the tests',
    cwd: '/home/dev/ledger-api',
    startedAt: 0,
    state: 'working',
    ...fields,
  }
}
