import {attempt} from '../../recording/attempt.ts'
import {archiveSessions} from './archive-sessions.ts'
import {openArchive} from './archive.ts'
import {findAtRisk, type AtRisk} from './at-risk.ts'
import type {ArchivableSession} from './list-sources.ts'

/** Archives sessions in the background of a long-running process. */
export interface Archiver {
  /** Archives all sessions now, unless it is doing that. */
  start(): void
  /** Stops archiving. Archived sessions are kept. */
  cancel(): void
  state(sessions: readonly ArchivableSession[]): ArchiverState
  close(): void
}

/** The state of an archiver and its archive. */
interface ArchiverState {
  /** Sessions that an agent will delete soon and that are not archived. */
  atRisk: Omit<AtRisk, 'files' | 'sessionIds'> | null
  /** Whether new sessions are archived continuously. */
  isEnabled: boolean
  /** Only while it works on a request of `start`. */
  progress: {done: number; of: number} | null
  archived: {sessions: number; bytes: number}
}

/** Options of {@link createArchiver}. */
export interface ArchiverOptions {
  dataDir: string
  /** The current sessions of the machine. */
  readSessions: () => Promise<readonly ArchivableSession[]>
  /** Whether to archive continuously. */
  isEnabled: boolean
  /** @defaultValue A minute. */
  intervalMs?: number | undefined
  onError: (error: unknown) => void
}

const DEFAULT_INTERVAL_MS = 60_000

/** Creates an archiver; if it is enabled, it begins at once and continues until it is closed. */
export function createArchiver(options: ArchiverOptions): Archiver {
  const {dataDir, readSessions, isEnabled, intervalMs = DEFAULT_INTERVAL_MS, onError} = options
  let controller: AbortController | undefined
  let progress: ArchiverState['progress'] = null
  let timer: NodeJS.Timeout | undefined
  if (isEnabled) {
    begin()
    timer = setInterval(begin, intervalMs).unref()
  }
  return {
    start() {
      progress ??= {done: 0, of: 0}
      begin()
    },
    cancel,
    state(sessions) {
      const stats = attempt(() => openArchive(dataDir).stats())
      return {
        atRisk: describeRisk(findAtRisk({dataDir, sessions})),
        isEnabled,
        progress,
        archived: {sessions: stats?.sessions ?? 0, bytes: stats?.bytes ?? 0},
      }
    },
    close() {
      clearInterval(timer)
      cancel()
    },
  }

  function begin(): void {
    if (controller !== undefined) return
    controller = new AbortController()
    const {signal} = controller
    archive(signal)
      .catch(onError)
      .finally(() => {
        controller = undefined
        progress = null
      })
  }

  function cancel(): void {
    controller?.abort()
  }

  async function archive(signal: AbortSignal): Promise<void> {
    const sessions = await readSessions()
    if (signal.aborted) return
    await archiveSessions({
      dataDir,
      sessions,
      signal,
      onProgress(now) {
        if (progress !== null) progress = now
      },
    })
  }
}

function describeRisk(risk: AtRisk | null): ArchiverState['atRisk'] {
  if (risk === null) return null
  const {agent, sessions, bytes, withinDays, keptDays} = risk
  return {agent, sessions, bytes, withinDays, keptDays: Math.floor(keptDays)}
}
