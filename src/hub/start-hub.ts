import {join, resolve} from 'node:path'
import process from 'node:process'
import type {Worker} from 'node:worker_threads'
import {identify, isAlive} from '../recording/index.ts'
import type {Intake, IntakeOptions} from './intake.ts'
import {createReader} from './intake-thread.ts'
import {planListenAddress, type ListenOptions} from './listen-address.ts'
import {claimDataDir} from './lock.ts'
import type {RouteOptions} from './routes.ts'
import {openSqliteStore} from './store/sqlite.ts'
import {openToken} from './tokens.ts'

/** Where a hub is, and what it keeps. */
export interface HubOptions
  extends ListenOptions, Pick<IntakeOptions, 'stateIntervalMs'>, Pick<RouteOptions, 'recordHook'> {
  dataDir: string
  /** The version of Vitrine. */
  version: string
  /**
   * The folder of the built dashboard.
   *
   * @defaultValue The one that comes with the package.
   */
  dashboardDir?: string | undefined
  /** Supervises a run whose supervisor is gone. */
  adopt?: ((runId: string) => Promise<AdoptedRun | null>) | undefined
  /** Records what no hook reports of an interactive session on this machine. */
  refreshSession?: ((runId: string) => Promise<void>) | undefined
  /** Gets what the owner should know. */
  onRemark?: ((text: string) => void) | undefined
}

/** A run that the hub supervises. */
export interface AdoptedRun {
  stop(): void
  /** Settles when it has its verdict. */
  ended?: Promise<unknown> | undefined
}

/** A hub that runs. */
export interface Hub {
  /** The best of its addresses, for programs of this machine. */
  url: string
  urls: string[]
  port: number
  dataDir: string
  /** Settles when the index has everything that was there at the start. */
  caughtUp: Promise<void>
  /** Settles with the reason when the data folder was removed, or is claimed by another hub. */
  lost: Promise<string>
  /** A link that logs one browser in, once and soon. */
  createLoginLink(): string
  /** Ends it: nobody new is let in, those who are there are told, all is written. */
  close(): Promise<void>
}

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
          onRemark(`${reason} Building it anew from the recordings`)
          intake?.rebuild().catch((error: unknown) => {
            onRemark(`cannot build the index: ${(error as Error).message}`)
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
