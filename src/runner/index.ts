/**
 * Runs agents so that nothing is lost and their end is true: every byte recorded, limits kept, everything that they
 * started ended.
 *
 * @module
 */
export {attach, type AttachOptions} from './attach.ts'
export {findCommandAgent, findExecutable} from './command.ts'
export type {Answer, PermissionOptions, PersonalAnswer} from './permission-desk.ts'
export {
  createProcessor,
  type EventFormatter,
  type Processor,
  type ProcessorOptions,
} from './processor.ts'
export type {ProcessId, ProcessState} from './process.ts'
export {
  defaultDataDir,
  findRemains,
  findRun,
  listRuns,
  readTiming,
  recordingAt,
  removeRun,
  type LiveRun,
  type Piece,
  type PieceKind,
  type RecordedRun,
  type Recording,
  type RunLimits,
  type RunRecord,
} from './recording.ts'
export {run, type RunOptions} from './run.ts'
export {RunError, type RunErrorCode} from './run-error.ts'
export type {AgentRun, Notice, RunStatus, SuperviseOptions} from './agent-run.ts'
export {whereabouts, type Whereabouts} from './whereabouts.ts'
