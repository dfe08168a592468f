import type {Store} from '../index/store.ts'
import {createSemaphore} from '../semaphore.ts'

/** Options of {@link createClientViews}. */
export interface ClientViewsOptions {
  store: Pick<Store, 'readItems' | 'waitForItems'>
  mayAnswer: boolean
  /** Sends a message; `onSent` is called when there is capacity for the next. */
  send(message: Uint8Array, onSent: () => void): void
}

const MAX_VIEWS = 16
/** Limit of pages in flight to a client, for all its views. */
const MAX_PAGES = 4

/** An open view. */
interface View {
  runId: string
  isClosed: boolean
}

/** Creates the run views that one client has open. */
export function createClientViews({store, mayAnswer, send}: ClientViewsOptions) {
  const limitPages = createSemaphore(MAX_PAGES)
  const views = new Map<string, View>()

  return {
    /** Whether it has the maximum number of views open. */
    get isFull() {
      return views.size >= MAX_VIEWS
    },
    /** Opens a view of a run, replacing an earlier one; a failure has no error if there is no such run. */
    begin(runId: string, since: number, onFailure: (error?: Error) => void): void {
      end(runId)
      const view = {runId, isClosed: false}
      views.set(runId, view)
      sendRun(view, since)
        .then((isFound) => isFound || onFailure())
        .catch(onFailure)
    },
    end,
    close(): void {
      for (const runId of views.keys()) end(runId)
    },
  }

  /** Sends all items of a run until it ends; false when there is no such run. */
  async function sendRun(view: View, from: number): Promise<boolean> {
    const {runId} = view
    let since = from
    if (since === 0) await sendPage(view, since, true)
    while (!view.isClosed) {
      const page = await sendPage(view, since, false)
      if (view.isClosed) break
      if (page === null || page?.isLast === true) {
        views.delete(runId)
        return page !== null
      }
      if (page === undefined) await store.waitForItems(runId, since)
      else since = page.lastItem
    }
    return true
  }

  /** Sends the next items, if there are any. */
  function sendPage(view: View, since: number, isPreview: boolean) {
    return limitPages(async () => {
      const {runId} = view
      if (view.isClosed) return undefined
      const page = await store.readItems({runId, since, mayAnswer, isPreview})
      if (page === null || page === undefined || view.isClosed) return page
      await new Promise<void>((resolve) => send(page.message, resolve))
      return page
    })
  }

  function end(runId: string): void {
    const view = views.get(runId)
    if (view !== undefined) view.isClosed = true
    views.delete(runId)
  }
}
