/** What an exported page knows of its run besides the data in it. The page reads it, so nothing here needs Node. */
export interface ExportedRun {
  /** The version of Vitrine that wrote the page. */
  version: string
  /** In milliseconds since 1970. */
  exportedAt: number
  runId: string
  workOrderId: string
  /** Whether it was over, went on, or ended unseen. */
  state: 'over' | 'running' | 'lost'
  isStuck: boolean
  /** How many lines there are, and how many of them are here in full. */
  records: {count: number; full: number}
}

/** Where the facts are in the page: the id of the element that holds them as JSON. */
export const FACTS_ID = 'vitrine-run'

/**
 * What marks the blocks of data, each a JSON array, gzipped, in base64: the items of the run in order, and its lines in
 * full, whose blocks say in `data-from` and `data-to` between which lines they are.
 */
export const BLOCKS = {items: 'data-items', records: 'data-records'} as const
