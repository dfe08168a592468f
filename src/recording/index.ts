/**
 * The folder of a run on disk, for those who write it and those who read it.
 *
 * @module
 */
export {clearActive, createContestCheck, markActive} from './active-runs.ts'
export {parseFileChange, readFileChanges, type RecordedChange} from './file-change.ts'
export {
  canSignal,
  findMarked,
  findMarkedRecently,
  identify,
  isAlive,
  listProcesses,
  MARKER,
  processTag,
  readStat,
  tryRead,
  type ProcessId,
} from './process-id.ts'
export {
  append,
  cannotRecord,
  createMarker,
  createRecording,
  defaultDataDir,
  findRemains,
  findRun,
  freeRoom,
  isRunName,
  listRuns,
  loadRunRecord,
  makeFolder,
  openNew,
  parseRunRecord,
  readRunRecord,
  readRuns,
  receiveRecording,
  recordingAt,
  removeRun,
  reserveRoom,
  tryToRecord,
  writeRunRecord,
  type HookRequest,
  type HookSession,
  type LiveRun,
  type RecordedRun,
  type Recording,
  type RunLimits,
  type RunRecord,
} from './recording.ts'
export {needsRefresh} from './needs-refresh.ts'
export {createSteadyClock} from './steady-clock.ts'
export {RunError, type RunErrorCode} from './run-error.ts'
export {
  openTiming,
  parsePiece,
  PIECE_FILES,
  readTiming,
  type Piece,
  type PieceKind,
  type TimingLog,
} from './timing.ts'
export {findProcess, whereabouts, type Whereabouts} from './whereabouts.ts'
export {isAtRest, isWhole, measureRecording, modifiedAt, sizeOf} from './wholeness.ts'
