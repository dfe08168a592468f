/** How much of a run is in the index. */
export interface RunHead {
  /** The number of the run. */
  readonly no: number
  lastSeq: number
  lastItem: number
}

/** Finds a run; `undefined` if the index has nothing of it. */
export type FindHead = (runId: string) => Readonly<RunHead> | undefined
