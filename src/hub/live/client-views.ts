import type {RunViews} from './views.ts'

/** The runs that one client looks at closely. */
export interface ClientViews {
  /** Whether it looks at as many as it may. */
  readonly isFull: boolean
  /** Begins to look at a run, in place of an earlier look at it. */
  begin(runId: string, since: number, onFailure: (error: Error | undefined) => void): void
  end(runId: string): void
  close(): void
}

/** Who looks, and where what is seen goes. */
export interface WatchesOptions {
  viewing: RunViews
  mayAnswer: boolean
  /** Sends a message; says so when it is on its way and there is room for the next. */
  send(message: Uint8Array, onTaken: () => void): void
}

const MAX_VIEWS = 16

/** Makes the watches of one client. */
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
