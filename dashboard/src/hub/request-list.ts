import type {PermissionRequestEvent} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {createStore} from '../ui/create-store.ts'
import {fetchRunEvents} from './api.ts'
import type {Connection} from './connection.ts'

/** The key of a request in the store. */
export function requestKey(runId: string, requestId: string): string {
  return `${runId} ${requestId}`
}

/** How many requests are kept: few are open, and answered ones are of no use. */
const MAX_REQUESTS = 500

/** Creates the store of permission requests: the summary of a run contains only their names. */
export function createRequestList(connection: Pick<Connection, 'on'>) {
  const {get, set, subscribe} = createStore<ReadonlyMap<string, PermissionRequestEvent>>(new Map())
  const asked = new Set<string>()

  function take(events: readonly {type: string}[]): void {
    const found = events.filter(isRequest)
    if (found.length === 0) return
    const all = [...get()]
    for (const request of found) {
      const {runId, requestId} = request
      if (requestId !== undefined) all.push([requestKey(runId, requestId), request])
    }
    set(new Map(all.slice(-MAX_REQUESTS)))
  }

  connection.on((message) => take([message]))

  return {
    get,
    subscribe,
    /** Fetches the unknown open requests of a run. */
    want(run: RunSummary): void {
      for (const {requestId} of run.requests) {
        if (requestId === undefined) continue
        const key = requestKey(run.runId, requestId)
        if (get().has(key) || asked.has(key)) continue
        asked.add(key)
        void fetchRequests(run.runId).then((isFetched) => !isFetched && asked.delete(key))
      }
    },
  }

  async function fetchRequests(runId: string): Promise<boolean> {
    let since = 0
    for (;;) {
      const page = await fetchRunEvents(runId, {since, types: ['permission_request']})
      if (!page.ok) return false
      take(page.value.events)
      if (page.value.isEnd || page.value.next <= since) return true
      since = page.value.next
    }
  }
}

function isRequest(message: {type: string}): message is PermissionRequestEvent {
  return message.type === 'permission_request'
}
