import {join, resolve} from 'node:path'
import {findAgent} from '../../agents/find-agent.ts'
import {createLocalBus} from '../live/local-bus.ts'
import {openIndexer} from '../reader/indexer.ts'
import {lockDataDir} from '../lock.ts'
import {createMessageSink} from '../reader/message-sink.ts'
import {openSqliteStore} from './sqlite.ts'

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
    const store = await openSqliteStore(join(folder, 'index.db'), {onDamage: () => {}})
    await store.clear()
    const indexer = openIndexer({
      dataDir: folder,
      sink: createMessageSink(store, createLocalBus()),
      findAgent,
    })
    const timer = setInterval(() => onProgress?.(indexer.waitingCount), PROGRESS_MS)
    await indexer.caughtUp.finally(() => clearInterval(timer))
    await store.whenSearchable()
    const {runs, messages} = await store.stats()
    await indexer.close()
    await store.close()
    return {runs, messages}
  } finally {
    lock.release()
  }
}
