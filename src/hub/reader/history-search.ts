import {setTimeout} from 'node:timers/promises'
import type * as z from 'zod'
import {findAgent} from '../../agents/find-agent.ts'
import type {Entry} from '../../history/entries.ts'
import {fillSearch} from '../../history/search/fill.ts'
import {openSearchFile} from '../../history/search/search-file.ts'
import {searchHistory, type FoundEntry} from '../../history/search/search.ts'
import {createCalendar} from '../../history/usage/calendar.ts'
import {toTimes} from '../../history/usage/day-start.ts'
import {reasonOf} from '../../recording/describe-errno.ts'
import {maskSecrets} from '../../secrets/mask-secrets.ts'
import type {HistorySearch} from '../protocol/history.ts'
import type {historySearchQuery} from '../protocol/queries.ts'
import type {Sessions} from './sessions.ts'

/** The first pass waits until clients have the list, and the next ones for new records. */
const INTERVAL_MS = 2000
/** Messages of live runs and requests of clients come first. */
const TURN_MS = 10
const PAUSE_FACTOR = 3
/** A live session is read again completely, but not more often than this. */
const MIN_REREAD_MS = 5000
const REREAD_FACTOR = 10

/** The search in all runs and sessions. */
export type HistorySearcher = ReturnType<typeof openHistorySearch>

/** Opens the search in all runs and sessions, and makes them searchable in the background. */
export function openHistorySearch(
  dataDir: string,
  sessions: Pick<Sessions, 'history' | 'listed' | 'idle'>,
  onError: (error: unknown) => void,
) {
  const file = openSearchFile(dataDir)
  const controller = new AbortController()
  const {signal} = controller
  /** When runs and sessions may be read again. */
  const dueAt = new Map<string, number>()
  let lastProblem = ''
  const filling = fillForever()

  return {
    /** Searches what is searchable so far. */
    async search(query: z.infer<typeof historySearchQuery>): Promise<HistorySearch> {
      await sessions.listed
      const {q: text, since, until, timezone, agent, ...rest} = query
      const start = performance.now()
      const {entries, total, entryCount, indexing, suggestion} = await file
        .use((store) =>
          searchHistory(store, sessions.history?.entries ?? [], {
            ...rest,
            text,
            agents: agent === undefined ? undefined : [agent],
            ...toTimes({since, until}, createCalendar(timezone)),
          }),
        )
        .catch((error: unknown) => {
          throw toProblem(error)
        })
      const tookMs = Math.round(performance.now() - start)
      const found = entries.map(describeFound)
      return {total, entryCount, tookMs, entries: found, indexing, suggestion}
    },
    async close(): Promise<void> {
      controller.abort()
      await filling
      file.close()
    },
  }

  async function fillForever(): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(INTERVAL_MS, undefined, {signal, ref: false}).catch(() => {})
      const {history} = sessions
      if (history !== undefined && !signal.aborted) await fill(history.entries)
    }
  }

  async function fill(entries: readonly Entry[]): Promise<void> {
    try {
      await file.use((store) =>
        fillSearch(store, entries, {
          signal,
          turnMs: TURN_MS,
          isDue: ({id}) => (dueAt.get(id) ?? 0) <= performance.now(),
          onRead: ({id}, tookMs) => {
            const delayMs = Math.max(MIN_REREAD_MS, REREAD_FACTOR * tookMs)
            dueAt.set(id, performance.now() + delayMs)
          },
          pause: async (tookMs) => {
            await setTimeout(PAUSE_FACTOR * tookMs, undefined, {signal, ref: false}).catch(() => {})
            // A client waits for these sessions.
            await sessions.idle()
          },
        }),
      )
      lastProblem = ''
    } catch (error) {
      // The disk may be full for hours.
      const problem = toProblem(error)
      if (problem.message !== lastProblem) onError(problem)
      lastProblem = problem.message
    }
  }
}

/** An error that is not taken for damage of the index of the hub. */
function toProblem(error: unknown): Error {
  return new Error(`cannot search runs and sessions: ${reasonOf(error)}`)
}

function describeFound({entry, matches, moments}: FoundEntry): HistorySearch['entries'][number] {
  const {id: runId, agent, title, cwd: project, kind, startedAt} = entry
  return {
    runId,
    agent,
    monogram: findAgent(agent ?? '')?.monogram,
    title: maskSecrets(title),
    project,
    kind,
    startedAt,
    matches,
    moments,
  }
}
