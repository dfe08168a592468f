import type {FullRecord} from '../../../src/replay/run-item.ts'
import type {RunSnapshot} from '../model/run-model.ts'

/** Where all that is shown of a run comes from: a hub, or a file that was exported. */
export interface RunSource {
  readonly runId: string
  /** What has come of it: another object whenever there is more. */
  getSnapshot(): RunSnapshot
  /** How much has come. */
  getLoading(): Loading
  /** Calls when there is more; gives what ends that. */
  subscribe(listener: () => void): () => void
  /** Lines in full. */
  readRecords(ranges: readonly LineRange[]): Promise<FullRecord[]>
  /** Which lines hold a text, the first of them, and how many there are. */
  findLines?: ((text: string) => Promise<{lines: number[]; total: number}>) | undefined
  /** Whether a line was asked for and cannot be had in full. */
  isLeftOut?: ((line: number) => boolean) | undefined
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
  /** Only the last lines are here so far: from this one, of how many. */
  preview?: {from: number; of: number} | undefined
  /** Its recording was removed: nothing more can be had of it. */
  isGone?: true | undefined
  /** Why nothing comes. */
  trouble?: string | undefined
}
