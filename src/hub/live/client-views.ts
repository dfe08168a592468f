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
export interface WatchesOptions {
  viewing: RunViews
  mayAnswer: boolean
  /** Sends a message; `onSent` is called when there is capacity for the next. */
  send(message: Uint8Array, onTaken: () => void): void
}

const MAX_VIEWS = 16

/** Creates the views of one client. */
export function createClientViews({viewing, mayAnswer, send}: WatchesOptions): ClientViews {
  const client = viewing.openClient()
  const looks = new Map<string, {close(): void}>()

  return {
    get isFull() {
      return looks.size >= MAX_VIEWS
    },
    begin(runId, since, onFailure) {
      end(runId)
      const look = client.open({
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
      looks.set(runId, look)

      function forget(): void {
        if (looks.get(runId) === look) looks.delete(runId)
      }
    },
    end,
    close() {
      for (const runId of looks.keys()) end(runId)
      client.close()
    },
  }

  function end(runId: string): void {
    looks.get(runId)?.close()
    looks.delete(runId)
  }
}
