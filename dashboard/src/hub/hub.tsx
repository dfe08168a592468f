import {createContext, useContext, useSyncExternalStore} from 'react'
import {fetchRunEvents, fetchRuns} from './api.ts'
import {createConnection, type Connection, type ConnectionState} from './connection.ts'
import {createOrders, type Order, type Orders} from './orders.ts'
import {createRequestList, type RequestList} from './request-list.ts'
import {createRunList, type RunList, type RunListSnapshot} from './run-list.ts'

/** Everything that the page has of its hub. */
export interface Hub {
  connection: Connection
  runList: RunList
  requestList: RequestList
  orders: Orders
}

/** Connects to the hub that serves this page. */
export function createHub(): Hub {
  const connection = createConnection()
  // A user who returns to the page should not wait for the next attempt.
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

/** Provides the hub to all components below. */
export const HubContext = createContext<Hub | undefined>(undefined)

/** The hub of this page. */
export function useHub(): Hub {
  const hub = useContext(HubContext)
  if (hub === undefined) throw new TypeError('useHub needs a HubContext around it')
  return hub
}

/** The state of the connection. */
export function useConnectionState(): ConnectionState {
  const {connection} = useHub()
  return useSyncExternalStore(connection.subscribe, connection.getState)
}

/** All known runs. */
export function useRunList(): RunListSnapshot {
  const {runList} = useHub()
  return useSyncExternalStore(runList.subscribe, runList.getSnapshot)
}

/** The last command of a run, and its state. */
export function useOrder(runId: string): Order | undefined {
  const {orders} = useHub()
  return useSyncExternalStore(orders.subscribe, () => orders.getSnapshot().get(runId))
}

/** A hidden tab gets no frames, but its title must be updated. */
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
