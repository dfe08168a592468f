/**
 * Runs agents so that nothing is lost and their end is true: every byte recorded, limits kept, everything that they
 * started ended.
 *
 * @module
 */
export {attach, type AttachOptions} from './attach.ts'
export {findCommandAgent, findExecutable} from './command.ts'
export {describeProcess} from './describe-process.ts'
export type {Answer, AnsweringPerson, PermissionOptions, PersonalAnswer} from './permission-desk.ts'
export {
  createProcessor,
  type EventFormatter,
  type Processor,
  type ProcessorOptions,
} from './processor.ts'
export type {ProcessState} from './process.ts'
export {
  defaultDataDir,
  findRemains,
  findRun,
  listRuns,
  readTiming,
  recordingAt,
  removeRun,
  RunError,
  whereabouts,
  type LiveRun,
  type Piece,
  type PieceKind,
  type ProcessId,
  type RecordedRun,
  type Recording,
  type RunErrorCode,
  type RunLimits,
  type RunRecord,
  type Whereabouts,
} from '../recording/index.ts'
export type {HookRecordingOptions} from './hook-append.ts'
export {recordHook} from './hook-recording.ts'
export {run, type RunOptions} from './run.ts'
export type {AgentRun, Notice, RunStatus, SuperviseOptions} from './agent-run.ts'
