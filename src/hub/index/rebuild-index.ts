import {join, resolve} from 'node:path'
import {findAgent} from '../../agents/find-agent.ts'
import {lockDataDir} from '../lock.ts'
import {openIndexer} from '../reader/indexer.ts'
import {nullSink} from '../reader/message-sink.ts'
import {removeIndexFiles} from '../../database/files.ts'
import {openRunIndex} from './run-index.ts'

/** Options of {@link rebuildIndex}. */
export interface RebuildOptions {
  dataDir: string
  /** Called now and then with the number of recordings left. */
  onProgress?: ((left: number) => void) | undefined
}

const PROGRESS_MS = 200

/**
 * Rebuilds the index of a data folder from its recordings, while no hub runs on it.
 *
 * @returns How many runs and messages it has.
 * @throws HubError when a hub runs on the folder.
 */
export async function rebuildIndex({
  dataDir,
  onProgress,
}: RebuildOptions): Promise<{runs: number; messages: number}> {
  const folder = resolve(dataDir)
  const lock = await lockDataDir(folder)
  try {
    const path = join(folder, 'index.db')
    removeIndexFiles(path)
    let failure: unknown
    const onError = (error: unknown) => (failure ??= error)
    const index = openRunIndex(path, {onLost: onError})
    const indexer = openIndexer({dataDir: folder, index, sink: nullSink, findAgent, onError})
    const timer = setInterval(() => onProgress?.(indexer.waitingCount), PROGRESS_MS)
    await indexer.caughtUp.finally(() => clearInterval(timer))
    const {runs, messages} = index.stats(0)
    await indexer.close()
    index.close()
    if (failure !== undefined) throw failure
    return {runs, messages}
  } finally {
    lock.release()
  }
}
