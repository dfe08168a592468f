import {resolve} from 'node:path'
import {planListenAddress} from './auth/listen-address.ts'
import {openToken} from './auth/tokens.ts'
import type {Hub, HubOptions} from './hub.ts'
import {lockDataDir} from './lock.ts'
import {runHub} from './server.ts'

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
  try {
    const token = openToken(dataDir, onNotice)
    return await runHub(options, {dataDir, address, lock, token})
  } catch (error) {
    lock.release()
    throw error
  }
}
