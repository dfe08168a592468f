import type {RunSummary} from '../../../src/core/index.ts'
import type {FullRecord} from '../../../src/hub/protocol.ts'
import type {RunModel} from '../model/run-model.ts'

/** Where all that is shown of a run comes from: a hub, or a file that was exported. */
export interface RunSource {
  readonly runId: string
  readonly model: RunModel
  /** How much has come. */
  readonly loading: Loading
  /** Calls when there is more; gives what ends that. */
  subscribe(listener: () => void): () => void
  /** Another number whenever something changed. */
  getVersion(): number
  /** Lines in full. */
  readRecords(ranges: readonly LineRange[]): Promise<FullRecord[]>
  /** Where the bytes can be had, if they can. */
  rawUrl?: ((file: 'stdout' | 'stderr' | 'stdin') => string) | undefined
}

/** The first and the last of some lines. */
export type LineRange = readonly [from: number, to: number]

/** How much of a run has come. */
export interface Loading {
  isCaughtUp: boolean
  bytesRead: number
  bytesTotal: number
  /** Why nothing comes. */
  trouble?: string | undefined
}

/** What the page knows of a run besides its items. */
export interface RunContext {
  source: RunSource
  summary: RunSummary
}
