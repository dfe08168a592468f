import type {RunSummary} from '../../../src/core/run/run-summary.ts'

/** A run without any facts but its start. */
export const EMPTY_RUN: Omit<
  RunSummary,
  'runId' | 'workOrderId' | 'agent' | 'title' | 'cwd' | 'startedAt'
> = {
  kind: 'run',
  state: 'starting',
  isStuck: false,
  percentage: 0,
  phase: '',
  tokens: null,
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
}
