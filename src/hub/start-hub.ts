import {join, resolve} from 'node:path'
import process from 'node:process'
import type {Worker} from 'node:worker_threads'
import {identify, isAlive} from '../recording/process-id.ts'
import type {Intake} from './reader/indexer.ts'
import {createReader} from './reader/indexer-thread.ts'
import {planListenAddress} from './auth/listen-address.ts'
import {claimDataDir} from './lock.ts'
import {openSqliteStore} from './index/sqlite.ts'
import {openToken} from './auth/tokens.ts'
import {type HubOptions, type Hub} from './hub.ts'

/**
 * Starts a hub on a data folder.
 *
 * @throws HubError when it cannot, with a sentence that says what to do.
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  const {onRemark = () => {}} = options
  const dataDir = resolve(options.dataDir)
  const address = planListenAddress(options)
  const claim = claimDataDir(dataDir, {
    self: identify(process.pid),
    isAlive,
    version: options.version,
  })
  const read = () => createReader({dataDir, stateIntervalMs: options.stateIntervalMs})
  /** The thread that reads has much to load, and does so while all else gets ready. */
  let early: Worker | undefined
  try {
    const token = openToken(dataDir, onRemark)
    let intake: Intake | undefined
    early = read()
    // The index is opened in a thread of its own, while all else is loaded.
    const [store, {runHub}] = await Promise.all([
      openSqliteStore(join(dataDir, 'index.db'), {
        onDamage(reason) {
          onRemark(`${reason} Rebuilding it from the recordings`)
          intake?.rebuild().catch((error: unknown) => {
            onRemark(`cannot rebuild the index: ${(error as Error).message}`)
          })
        },
      }),
      import('./server.ts'),
    ])
    try {
      const onIntake = (made: Intake) => (intake = made)
      const parts = {dataDir, address, claim, token, store, onIntake}
      return await runHub(options, {...parts, createReader: takeReader})
    } catch (error) {
      await store.close()
      throw error
    }
  } catch (error) {
    await early?.terminate()
    claim.release()
    throw error
  }

  function takeReader(): Worker {
    const reader = early ?? read()
    early = undefined
    return reader
  }
}
