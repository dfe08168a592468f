/**
 * A hub: keeps the runs of this machine and of others, and gives them out over HTTP and WebSocket to those who may see
 * them.
 *
 * @module
 */
export type {Batch, Bus, CommandOutcome, LiveMessage, RunCommand, Target} from './bus.ts'
export {HubError, type HubErrorCode} from './hub-error.ts'
export type {ListenOptions} from './listen-address.ts'
export {findLocalHub, type LocalHub} from './lock.ts'
export {rebuildIndex, type RebuildOptions} from './rebuild-index.ts'
export {
  createReporter,
  type HubAddress,
  type Reporter,
  type ReporterOptions,
  type ReportTrouble,
} from './reporter.ts'
export {startHub, type Hub, type HubOptions} from './start-hub.ts'
export type {Store} from './store.ts'
export {deriveToken, openToken, type Role} from './tokens.ts'
