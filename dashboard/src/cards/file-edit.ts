/** What a tool was asked to do to a file. */
export interface FileEdit {
  /** The whole file, a place in it, its removal, or something that is not told. */
  kind: 'write' | 'replace' | 'delete' | 'unknown'
  path: string
  /** What was there, where that is told. */
  before?: string | undefined
  /** What is there now, where that is told. */
  after?: string | undefined
  /** Every place was changed that was like `before`. */
  isEverywhere?: boolean | undefined
  /** The line that it begins at, where that is told. */
  start?: number | undefined
}
