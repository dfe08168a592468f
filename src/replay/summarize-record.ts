import type {Adapter} from '../core/events/adapter.ts'
import {withPendingUsage} from '../core/run/ledger.ts'
import {createProgressMeter} from '../core/run/progress.ts'
import {initialRunState} from '../core/run/run-state.ts'
import {
  pickEnding,
  summarizeRun,
  type RunFindings,
  type RunOrigin,
  type RunSummary,
} from '../core/run/run-summary.ts'
import {cutText, firstLine} from '../core/text/text.ts'
import type {RunRecord} from '../recording/run-record.ts'

const MAX_TITLE_LENGTH = 200

/** Summarizes an ended run from its record alone, before its output is read. */
export function summarizeRecord(record: RunRecord, agent: Adapter | null): RunSummary {
  const {runId, result} = record
  return summarizeRun({
    runId,
    ...describeKind(record, agent),
    workOrderId: workOrderOf(record),
    origin: describeOrigin(record, agent),
    agentVersion: record.agentVersion,
    state: initialRunState,
    usage: withPendingUsage(initialRunState.ledger, undefined),
    progress: createProgressMeter().finish(),
    ending: result && pickEnding(result),
  })
}

/** The work order of a run; its own id if it belongs to none. */
export function workOrderOf({workOrder, runId}: RunRecord): string {
  return workOrder?.id ?? runId
}

/** Whether a recording is a run, the hooks or the copy of a session, or a session of another machine. */
export function describeKind(
  {isTranscript, host, endedAt}: RunRecord,
  agent: Adapter | null,
): Pick<RunFindings, 'kind' | 'endedAt'> {
  // The copy of a session has no result.
  if (isTranscript === true) return {kind: host === undefined ? 'session' : 'imported', endedAt}
  return {kind: agent?.isSession === true ? 'session' : 'run'}
}

export function describeOrigin(record: RunRecord, adapter: Adapter | null): RunOrigin {
  const {agent, cwd, startedAt, host} = record
  return {agent, monogram: adapter?.monogram, title: formatTitle(record), cwd, startedAt, host}
}

/** The first line of the prompt, or the command if there is no prompt. */
export function formatTitle({prompt, argv}: RunRecord): string {
  return cutText(firstLine(prompt ?? argv.join(' ')), MAX_TITLE_LENGTH)
}
