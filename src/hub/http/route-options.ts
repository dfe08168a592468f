import type {Bus} from '../live/bus.ts'
import type {ByteBudget} from '../live/byte-budget.ts'
import type {Dashboard} from './dashboard.ts'
import type {Auth} from '../auth/auth.ts'
import type {Store} from '../index/store.ts'
import type {Semaphore} from '../semaphore.ts'

/** Options of {@link createRoutes}. */
export interface RouteOptions {
  dataDir: string
  version: string
  store: Store
  bus: Bus
  /** Bytes that wait for clients that do not read. */
  outgoing: ByteBudget
  /** Loads a page of past messages when the hub has capacity. */
  limitLoading: Semaphore
  dashboard: Dashboard
  auth: Auth
  /** How many recordings wait to be indexed. */
  waitingCount(): number
  metrics(): string
  /** Records the payload of a hook of an agent and returns the run it belongs to. */
  recordHook?: ((payload: Uint8Array) => Promise<{runId: string}>) | undefined
  onRefused?: (() => void) | undefined
}
