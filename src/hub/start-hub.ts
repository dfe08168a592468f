import {join, resolve} from 'node:path'
import type {Worker} from 'node:worker_threads'
import type {Indexer} from './reader/indexer.ts'
import {createReader} from './reader/indexer-thread.ts'
import {planListenAddress} from './auth/listen-address.ts'
import {lockDataDir} from './lock.ts'
import {openSqliteStore} from './index/sqlite.ts'
import {openToken} from './auth/tokens.ts'
import {type HubOptions, type Hub} from './hub.ts'

/**
 * Starts a hub on a data folder.
 *
 * @throws HubError when it cannot; the message explains what to do.
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  const {onNotice = () => {}} = options
  const dataDir = resolve(options.dataDir)
  const address = planListenAddress(options)
  const lock = await lockDataDir(dataDir, options.version)
  const read = () => createReader({dataDir, stateIntervalMs: options.stateIntervalMs})
  /** The reader thread loads many modules, so it starts first. */
  let early: Worker | undefined
  try {
    const token = openToken(dataDir, onNotice)
    let indexer: Indexer | undefined
    early = read()
    // The index is opened in a thread of its own while the other modules load.
    const [store, {runHub}] = await Promise.all([
      openSqliteStore(join(dataDir, 'index.db'), {
        onDamage(reason) {
          onNotice(`${reason} Rebuilding it from the recordings`)
          indexer?.rebuild().catch((error: unknown) => {
            onNotice(`cannot rebuild the index: ${(error as Error).message}`)
          })
        },
      }),
      import('./server.ts'),
    ])
    try {
      const onIndexer = (made: Indexer) => (indexer = made)
      const parts = {dataDir, address, lock, token, store, onIndexer}
      return await runHub(options, {...parts, createReader: takeReader})
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    await early?.terminate()
    lock.release()
    throw error
  }

  function takeReader(): Worker {
    const reader = early ?? read()
    early = undefined
    return reader
  }
}
