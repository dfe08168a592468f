import {Worker} from 'node:worker_threads'

/**
 * Creates a thread from a module next to the caller.
 *
 * @param name - The name of the module, without its extension.
 * @param besideUrl - The URL of the caller.
 */
export function createThread(name: string, besideUrl: string, data: unknown): Worker {
  // The module has the extension of the caller: TypeScript where Node can run it, else the build output.
  const extension = besideUrl.endsWith('.ts') ? 'ts' : 'js'
  return new Worker(new URL(`./${name}.${extension}`, besideUrl), {
    workerData: data,
    // Options of this process, such as the kind of its script, do not apply to the thread.
    execArgv: [],
    // With the default the hub needs 25 MiB more under load (`node bench/hub.js load`).
    resourceLimits: {maxYoungGenerationSizeMb: 12},
  })
}
