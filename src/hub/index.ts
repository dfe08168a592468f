/**
 * The hub: indexes the runs of this machine and of others, and streams them over HTTP and WebSocket to authorised
 * clients.
 *
 * @module
 */
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
export {deriveToken, openToken, type Role} from './auth/tokens.ts'
