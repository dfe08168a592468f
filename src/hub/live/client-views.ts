import type {RunViews} from './views.ts'

/** The run views that one client has open. */
export interface ClientViews {
  /** Whether it has the maximum number of views open. */
  readonly isFull: boolean
  /** Opens a view of a run, replacing an earlier one. */
  begin(runId: string, since: number, onFailure: (error: Error | undefined) => void): void
  end(runId: string): void
  close(): void
}

/** Options of {@link createClientViews}. */
export interface ClientViewsOptions {
  viewing: RunViews
  mayAnswer: boolean
  /** Sends a message; `onSent` is called when there is capacity for the next. */
  send(message: Uint8Array, onTaken: () => void): void
}

const MAX_VIEWS = 16

/** Creates the views of one client. */
export function createClientViews({viewing, mayAnswer, send}: ClientViewsOptions): ClientViews {
  const client = viewing.openClient()
  const views = new Map<string, {close(): void}>()

  return {
    get isFull() {
      return views.size >= MAX_VIEWS
    },
    begin(runId, since, onFailure) {
      end(runId)
      const view = client.open({
        runId,
        since,
        mayAnswer,
        onItems(message, isLast) {
          if (isLast) forget()
          send(message, client.received)
        },
        onFailure(error) {
          forget()
          onFailure(error)
        },
      })
      views.set(runId, view)

      function forget(): void {
        if (views.get(runId) === view) views.delete(runId)
      }
    },
    end,
    close() {
      for (const runId of views.keys()) end(runId)
      client.close()
    },
  }

  function end(runId: string): void {
    views.get(runId)?.close()
    views.delete(runId)
  }
}
