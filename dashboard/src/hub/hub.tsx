import {createContext, use, useEffect} from 'react'
import type {PermissionRequestEvent} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useStore} from '../ui/create-store.ts'
import {fetchRuns} from './api.ts'
import {createConnection, type ConnectionState} from './connection.ts'
import {createPendingCommands, type PendingCommand} from './pending-commands.ts'
import {createRequestList, requestKey} from './request-list.ts'
import {createRunList, type RunListSnapshot} from './run-list.ts'

/** Everything that the page has of its hub. */
export type Hub = ReturnType<typeof createHub>

/** Connects to the hub that serves this page. */
export function createHub() {
  const connection = createConnection()
  // A user who returns to the page should not wait for the next attempt.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) connection.tryNow()
  })
  return {
    connection,
    orders: createPendingCommands(connection),
    requestList: createRequestList(connection),
    runList: createRunList({connection, fetchRuns, schedule: callWithFrame}),
  }
}

/** Provides the hub to all components below. */
export const HubContext = createContext<Hub | undefined>(undefined)

export function useHub(): Hub {
  const hub = use(HubContext)
  if (hub === undefined) throw new TypeError('useHub needs a HubContext around it')
  return hub
}

export function useConnectionState(): ConnectionState {
  return useStore(useHub().connection)
}

/** All known runs. */
export function useRunList(): RunListSnapshot {
  return useStore(useHub().runList)
}

/** The last command of a run, and its state. */
export function useOrder(runId: string): PendingCommand | undefined {
  return useStore(useHub().orders, (orders) => orders.get(runId))
}

/** The first open request of a run; `undefined` until it is loaded. */
export function useRequest(run: RunSummary): PermissionRequestEvent | undefined {
  const {requestList} = useHub()
  const requestId = run.requests[0]?.requestId
  const key = requestId === undefined ? undefined : requestKey(run.runId, requestId)
  const request = useStore(requestList, (known) => (key === undefined ? undefined : known.get(key)))
  useEffect(() => {
    if (key !== undefined && request === undefined) requestList.want(run)
  }, [requestList, run, key, request])
  return request
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
