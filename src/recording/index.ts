/**
 * The folder of a run on disk, for those who write it and those who read it.
 *
 * @module
 */
export {
  canSignal,
  findMarked,
  identify,
  isAlive,
  listProcesses,
  MARKER,
  readStat,
  tryRead,
  type ProcessId,
} from './process-id.ts'
export {
  append,
  createRecording,
  defaultDataDir,
  findRemains,
  findRun,
  freeRoom,
  isRunName,
  isRunRecord,
  listRuns,
  makeFolder,
  openNew,
  openTiming,
  parsePiece,
  PIECE_FILES,
  readRunRecord,
  readTiming,
  receiveRecording,
  recordingAt,
  removeRun,
  reserveRoom,
  tryToRecord,
  writeRunRecord,
  type LiveRun,
  type Piece,
  type PieceKind,
  type RecordedRun,
  type Recording,
  type RunLimits,
  type RunRecord,
  type TimingLog,
} from './recording.ts'
export {RunError, type RunErrorCode} from './run-error.ts'
export {findProcess, whereabouts, type Whereabouts} from './whereabouts.ts'
