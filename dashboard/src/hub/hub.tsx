import {createContext, use, useEffect, useState} from 'react'
import type {PermissionRequestEvent} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useStore} from '../ui/create-store.ts'
import {fetchRuns} from './api.ts'
import {createConnection, type Connection, type ConnectionState} from './connection.ts'
import {createPendingCommands, type PendingCommand} from './pending-commands.ts'
import {createRequestList, requestKey} from './request-list.ts'
import {createRunList, type RunFilter, type RunList, type RunListSnapshot} from './run-list.ts'

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
    /** Creates the list of some runs; it must be closed. */
    openRunList: (filter: RunFilter): RunList =>
      createRunList({
        connection: followConnection(connection),
        fetchRuns,
        schedule: callWithFrame,
        filter,
      }),
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

/** The list of the runs that a filter accepts; the list of all runs without one. A former list stays until the next is loaded. */
export function useFilteredRunList(filter: RunFilter | undefined): RunList {
  const {runList, openRunList} = useHub()
  const [opened, setOpened] = useState<RunList>()
  if (filter === undefined && opened !== undefined) setOpened(undefined)
  useEffect(() => {
    if (filter === undefined) return undefined
    const list = openRunList(filter)
    const stop = list.subscribe(() => {
      if (list.get().status !== 'loading') setOpened(list)
    })
    return () => {
      stop()
      list.close()
    }
  }, [filter, openRunList])
  return filter === undefined ? runList : (opened ?? runList)
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

/** Subscribes with another subscription of the page: only one of them may ask the hub for the messages of all runs. */
function followConnection(connection: Connection): Pick<Connection, 'on' | 'addSubscription'> {
  return {
    on: connection.on,
    addSubscription({describe}) {
      let wasLive = false
      const check = () => {
        const isLive = connection.get().kind === 'live'
        if (isLive && !wasLive) describe()
        wasLive = isLive
      }
      check()
      return connection.subscribe(check)
    },
  }
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
