/**
 * The hub: indexes the runs of this machine and of others, and streams them over HTTP and WebSocket to authorised
 * clients.
 *
 * @module
 */
export type {Batch, Bus, CommandOutcome, LiveMessage, RunCommand, Target} from './live/bus.ts'
export {HubError, type HubErrorCode} from './hub-error.ts'
export type {ListenOptions} from './auth/listen-address.ts'
export {findLocalHub, type LocalHub} from './lock.ts'
export {rebuildIndex, type RebuildOptions} from './index/rebuild-index.ts'
export {
  createReporter,
  type HubAddress,
  type Reporter,
  type ReporterOptions,
  type ReportTrouble,
} from './ingest/reporter.ts'
export {startHub} from './start-hub.ts'
export type {Hub, HubOptions} from './hub.ts'
export type {Store} from './index/store.ts'
export {deriveToken, openToken, type Role} from './auth/tokens.ts'
