/** An edit of a file by a tool. */
export interface FileEdit {
  /** The complete file, a part of it, its removal, or unknown. */
  kind: 'write' | 'replace' | 'delete' | 'unknown'
  path: string
  /** The old text, if known. */
  before?: string | undefined
  /** The new text, if known. */
  after?: string | undefined
  /** Whether every occurrence of `before` was changed. */
  isEverywhere?: boolean | undefined
  /** The first line, if known. */
  start?: number | undefined
}
