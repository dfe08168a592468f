import type {IndexerOptions} from './reader/indexer.ts'
import {type ListenOptions} from './auth/listen-address.ts'
import type {RouteOptions} from './http/route-options.ts'

/** Where a hub is, and what it keeps. */
export interface HubOptions
  extends ListenOptions, Pick<IndexerOptions, 'stateIntervalMs'>, Pick<RouteOptions, 'recordHook'> {
  dataDir: string
  /** The version of Vitrine. */
  version: string
  /**
   * The folder of the built dashboard.
   *
   * @defaultValue The one that comes with the package.
   */
  dashboardDir?: string | undefined
  /** Supervises a run whose supervisor is gone. */
  adopt?: ((runId: string) => Promise<AdoptedRun | null>) | undefined
  /** Records what no hook reports of an interactive session on this machine. */
  refreshSession?: ((runId: string) => Promise<void>) | undefined
  /** Gets what the owner should know. */
  onNotice?: ((text: string) => void) | undefined
}

/** A run that the hub supervises. */
export interface AdoptedRun {
  stop(): void
  /** Settles when it has its verdict. */
  ended?: Promise<unknown> | undefined
}

/** A hub that runs. */
export interface Hub {
  /** The best of its addresses, for programs of this machine. */
  url: string
  urls: string[]
  port: number
  dataDir: string
  /** Settles when the index has everything that was there at the start. */
  caughtUp: Promise<void>
  /** Settles with the reason when the data folder was removed, or is claimed by another hub. */
  lost: Promise<string>
  /** A link that logs one browser in, once and soon. */
  createLoginLink(): string
  /** Ends it: nobody new is let in, those who are there are told, all is written. */
  close(): Promise<void>
}
