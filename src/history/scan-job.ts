import type {StoredScan} from './store-records.ts'
import type {Transcript} from './transcripts.ts'

/** A transcript to scan. */
export interface ScanJob<T = Transcript> {
  transcript: T
  /** The scan to continue. */
  before?: StoredScan | undefined
}
