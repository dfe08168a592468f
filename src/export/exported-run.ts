/** Facts about the run in an exported page. The page imports this module, so it must not need Node. */
export interface ExportedRun {
  /** The version of Vitrine that wrote the page. */
  version: string
  /** In milliseconds since 1970. */
  exportedAt: number
  runId: string
  workOrderId: string
  /** Whether the run had ended, was running, or ended without supervision. */
  state: 'over' | 'running' | 'lost'
  isStuck: boolean
  /** The number of lines, and of those included in full. */
  records: {count: number; full: number}
}

/** The id of the element that contains the facts as JSON. */
export const FACTS_ID = 'vitrine-run'

/**
 * The attributes of data blocks, each a gzipped JSON array in base64: the items of the run in order, and full records
 * with their first and last line in `data-from` and `data-to`.
 */
export const BLOCKS = {items: 'data-items', records: 'data-records'} as const
