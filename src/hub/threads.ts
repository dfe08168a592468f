import {Worker} from 'node:worker_threads'

/** Options of {@link createThread}. */
export interface ThreadOptions {
  data: unknown
  /**
   * The size of the young generation in MiB: a small one keeps the thread small, a large one saves garbage
   * collection.
   */
  maxYoungGenerationMb: number
}

/**
 * Creates a thread from a module next to the caller.
 *
 * @param name - The name of the module, without its extension.
 * @param besideUrl - The URL of the caller.
 */
export function createThread(
  name: string,
  besideUrl: string,
  {data, maxYoungGenerationMb: maxYoungMb}: ThreadOptions,
): Worker {
  // The module has the extension of the caller: TypeScript where Node can run it, else the build output.
  const extension = besideUrl.endsWith('.ts') ? 'ts' : 'js'
  return new Worker(new URL(`./${name}.${extension}`, besideUrl), {
    workerData: data,
    // Options of this process, such as the kind of its script, do not apply to the thread.
    execArgv: [],
    resourceLimits: {maxYoungGenerationSizeMb: maxYoungMb},
  })
}

/** Errors may have fields that cannot be posted to another thread. */
export function toPlainError(error: unknown): Error {
  return new Error(error instanceof Error ? error.message : String(error))
}
