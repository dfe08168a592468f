import type {FullRecord} from '../../../src/replay/run-item.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import type {ReadableStore} from '../ui/create-store.ts'

/** The source of a run: a hub, or an exported file. A store of the model so far. */
export interface RunSource extends ReadableStore<{snapshot: RunSnapshot; loading: Loading}> {
  readonly runId: string
  readRecords(ranges: readonly LineRange[]): Promise<FullRecord[]>
  /** Finds the lines that contain a text: the first ones, and their number. */
  findLines?: ((text: string) => Promise<{lines: number[]; total: number}>) | undefined
  /** Whether a requested record is unavailable. */
  isLeftOut?: ((line: number) => boolean) | undefined
  /** The URL of the raw bytes, if available. */
  rawUrl?: ((file: 'stdout' | 'stderr' | 'stdin') => string) | undefined
}

/** The first and the last line of a range. */
export type LineRange = readonly [from: number, to: number]

export interface Loading {
  isCaughtUp: boolean
  bytesRead: number
  bytesTotal: number
  /** Only the last lines are loaded so far: from this one, of how many. */
  preview?: {from: number; of: number} | undefined
  /** Whether its recording was removed. */
  isGone?: true | undefined
  /** Why loading failed. */
  error?: string | undefined
}
