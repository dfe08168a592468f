import type {Machine} from '../core/events/transcript.ts'
import type {IndexerOptions} from './reader/indexer.ts'
import {type ListenOptions} from './auth/listen-address.ts'

/** Options of {@link startHub}. */
export interface HubOptions extends ListenOptions, Pick<IndexerOptions, 'stateIntervalMs'> {
  dataDir: string
  /** Where to look for the sessions of agents; without it, there are none. */
  machine?: Machine | undefined
  /** The version of Vitrine. */
  version: string
  /**
   * The folder of the built dashboard.
   *
   * @defaultValue The one in the package.
   */
  dashboardDir?: string | undefined
  /** Supervises a run whose supervisor is gone. */
  adopt?: ((runId: string) => Promise<AdoptedRun | null>) | undefined
  /** Records the part of an interactive session that no hook reports. */
  refreshSession?: ((runId: string) => Promise<void>) | undefined
  /** Records the payload of a hook of an agent and returns the run it belongs to. */
  recordHook?: ((payload: Uint8Array) => Promise<{runId: string}>) | undefined
  /** Receives notices for the owner of the hub. */
  onNotice?: ((text: string) => void) | undefined
}

/** A run that the hub supervises. */
export interface AdoptedRun {
  stop(): void
  /** Resolves when it has its verdict. */
  ended?: Promise<unknown> | undefined
}

/** A running hub. */
export interface Hub {
  /** The preferred address for programs of this machine. */
  url: string
  urls: string[]
  port: number
  dataDir: string
  /** Resolves when the index has everything that existed at the start. */
  caughtUp: Promise<void>
  /** Settles with the reason when the data folder was removed, or is locked by another hub. */
  lost: Promise<string>
  /** Creates a link that logs one browser in, once and soon. */
  createLoginLink(): string
  /** Stops the hub: accepts no new connections, closes the open ones, and writes everything. */
  close(): Promise<void>
}
