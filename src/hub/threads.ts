import {Worker} from 'node:worker_threads'

/** What a thread is made with. */
export interface ThreadOptions {
  data: unknown
  /** How much room it has for what is new, in MiB: with little it stays small, with much it has less to sort out. */
  maxYoungGenerationMb: number
}

/**
 * Makes a thread with a module that is beside another.
 *
 * @param name - Of the module, without its extension.
 * @param besideUrl - The address of the other.
 */
export function createThread(
  name: string,
  besideUrl: string,
  {data, maxYoungGenerationMb: mostYoungMb}: ThreadOptions,
): Worker {
  // It is of the same kind as the other: TypeScript where Node can run it, else what it was built to.
  const extension = besideUrl.endsWith('.ts') ? 'ts' : 'js'
  return new Worker(new URL(`./${name}.${extension}`, besideUrl), {
    workerData: data,
    // Options of this process, such as what kind of script it runs, are none of its own.
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: mostYoungMb},
  })
}

/** Errors of others have fields that no other thread can be given. */
export function toPlainError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error))
}
