import {createContext, useContext, useSyncExternalStore} from 'react'
import {fetchRunEvents, fetchRuns} from './api.ts'
import {createConnection, type Connection, type ConnectionState} from './connection.ts'
import {createOrders, type Order, type Orders} from './orders.ts'
import {createRequestList, type RequestList} from './request-list.ts'
import {createRunList, type RunList, type RunListSnapshot} from './run-list.ts'

/** All that the page has of its hub. */
export interface Hub {
  connection: Connection
  runList: RunList
  requestList: RequestList
  orders: Orders
}

/** Connects to the hub that this page comes from. */
export function createHub(): Hub {
  const connection = createConnection()
  // Whoever comes back to the page wants to see what is, not wait for the next try.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) connection.tryNow()
  })
  return {
    connection,
    orders: createOrders(connection),
    requestList: createRequestList({connection, fetchRunEvents}),
    runList: createRunList({connection, fetchRuns, schedule: callWithFrame}),
  }
}

/** Hands the hub to all components below. */
export const HubContext = createContext<Hub | undefined>(undefined)

/** The hub of this page. */
export function useHub(): Hub {
  const hub = useContext(HubContext)
  if (hub === undefined) throw new TypeError('useHub needs a HubContext around it')
  return hub
}

/** How the page and the hub stand. */
export function useConnectionState(): ConnectionState {
  const {connection} = useHub()
  return useSyncExternalStore(connection.subscribe, connection.getState)
}

/** All runs that are known here. */
export function useRunList(): RunListSnapshot {
  const {runList} = useHub()
  return useSyncExternalStore(runList.subscribe, runList.getSnapshot)
}

/** What was last ordered of a run, and how that stands. */
export function useOrder(runId: string): Order | undefined {
  const {orders} = useHub()
  return useSyncExternalStore(orders.subscribe, () => orders.getSnapshot().get(runId))
}

/** A tab that is not seen gets no frames, but has a title to keep. */
const HIDDEN_MS = 250

function callWithFrame(call: () => void): void {
  let isCalled = false
  const callOnce = () => {
    if (isCalled) return
    isCalled = true
    call()
  }
  requestAnimationFrame(callOnce)
  setTimeout(callOnce, HIDDEN_MS)
}
