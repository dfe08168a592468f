/**
 * Runs agents, records every byte, enforces limits, and ends all processes that an agent has started.
 *
 * @module
 */
export {attach, type AttachOptions} from './attach.ts'
export {findCommandAgent, findExecutable} from './command.ts'
export {describeProcess} from './describe-process.ts'
export type {
  Answer,
  AnsweringPerson,
  PermissionOptions,
  PersonalAnswer,
} from './permission-broker.ts'
export {
  createProcessor,
  type EventFormatter,
  type Processor,
  type ProcessorOptions,
} from './processor.ts'
export type {ProcessState} from './process.ts'
export {
  findUnreadableRun,
  findRun,
  listRuns,
  removeRun,
  type RecordedRun,
} from '../recording/list-runs.ts'
export type {ProcessId} from '../recording/process-id.ts'
export {defaultDataDir, recordingAt} from '../recording/recording.ts'
export {RunError, type RunErrorCode} from '../recording/run-error.ts'
export type {LiveRun, Recording, RunLimits, RunRecord} from '../recording/run-record.ts'
export {supervisionOf, type Supervision} from '../recording/supervision.ts'
export {readTiming, type TimedChunk, type ChunkKind} from '../recording/timing.ts'
export type {HookRecordingOptions} from '../hooks/append.ts'
export {recordHook} from '../hooks/record-hook.ts'
export {run, type RunOptions} from './run.ts'
export type {AgentRun, Notice, RunStatus, SuperviseOptions} from './agent-run.ts'
