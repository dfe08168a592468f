import {statSync} from 'node:fs'
import {setImmediate} from 'node:timers/promises'
import {attempt} from '../../recording/attempt.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {Entry} from '../entries.ts'
import {stampOfRun} from '../scan-recording.ts'
import type {Session} from '../sessions.ts'
import {pathOf, stampOf as stampOfFile} from '../transcripts.ts'
import type {Moment} from './moments.ts'
import {readMoments} from './read-moments.ts'
import type {EntryPart, SearchStore} from './search-store.ts'

/** How to fill the store. */
export interface FillOptions {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: {done: number; of: number}) => void) | undefined
  /** Whether a run or session that has changed is read now. */
  isDue?: ((entry: Entry) => boolean) | undefined
  /** Called after each run or session, with the time without pauses. */
  onRead?: ((entry: Entry, tookMs: number) => void) | undefined
  /**
   * How long it works without a pause.
   *
   * @defaultValue 50
   */
  turnMs?: number | undefined
  /** Waits after some work, so that others get their turn. */
  pause?: ((tookMs: number) => Promise<unknown>) | undefined
}

const DEFAULT_TURN_MS = 50
const RECENT_MS = 60 * 60_000

/**
 * Makes runs and sessions searchable, the newest first. Only those are read that are new or have changed; what is gone
 * is removed.
 */
export async function fillSearch(
  store: SearchStore,
  entries: readonly Entry[],
  options: FillOptions = {},
): Promise<void> {
  const {signal, onProgress, onRead, isDue = () => true, turnMs = DEFAULT_TURN_MS} = options
  const {pause = () => setImmediate()} = options
  let turnStart = performance.now()
  let pausedMs = 0
  /** Written together: a transaction for each entry would take twice the time. */
  let parts: EntryPart[] = []
  const stored = new Map(store.list().map(({id, stamp}) => [id, stamp]))
  const changed = entries.filter((entry) => stored.get(entry.id) !== stampOf(entry) && isDue(entry))
  for (const {id} of entries) stored.delete(id)
  for (const id of stored.keys()) {
    while (!isAborted() && store.remove(id)) await rest()
  }
  for (const [done, entry] of changed.entries()) {
    if (isAborted()) return
    onProgress?.({done, of: changed.length})
    const start = performance.now() - pausedMs
    await fillEntry(entry)
    onRead?.(entry, performance.now() - pausedMs - start)
  }
  store.put(parts)

  async function fillEntry(entry: Entry): Promise<void> {
    const {id} = entry
    // Records that are added during the read belong to the next stamp.
    const stamp = stampOf(entry)
    let position = 0
    let moments: Moment[] = []
    for (const found of readMoments(entry)) {
      moments.push(...found)
      if (performance.now() - turnStart < turnMs) continue
      parts.push({id, position, moments})
      position += moments.length
      moments = []
      await rest()
      if (isAborted()) return
    }
    parts.push({id, position, moments, stamp})
  }

  async function rest(): Promise<void> {
    store.put(parts)
    parts = []
    const start = performance.now()
    await pause(start - turnStart)
    turnStart = performance.now()
    pausedMs += turnStart - start
  }

  function isAborted(): boolean {
    return signal?.aborted === true
  }
}

/** Differs whenever a run or session has changed. */
function stampOf({run, session, kind}: Entry): string {
  if (run === undefined) return stampOfSession(session)
  const stdout = recordingAt(run.dir).stdout
  const size = run.record.result === undefined ? attempt(() => statSync(stdout).size) : undefined
  return [stampOfRun(run), size, kind === 'run' ? '' : stampOfSession(session)].join(', ')
}

/** The history may have been read a while ago, so the files of a session that can be live are checked. */
function stampOfSession(session: Session | undefined): string {
  const {transcripts = [], writtenAt = 0} = session ?? {}
  const mayBeLive = Date.now() - writtenAt < RECENT_MS
  return transcripts
    .map(({transcript}) => {
      const {stamp, file} = transcript
      if (!mayBeLive || file.storage === 'database') return stamp
      return attempt(() => stampOfFile(statSync(pathOf(transcript)))) ?? stamp
    })
    .join(', ')
}
