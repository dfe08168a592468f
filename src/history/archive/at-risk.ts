import {dirname, join} from 'node:path'
import {isRecord, parseText} from '../../core/wire/json.ts'
import {attempt} from '../../recording/attempt.ts'
import {readTextFile} from '../read-file.ts'
import {keyOf, pathOf, type Transcript} from '../transcripts.ts'
import type {ArchivableSession} from './list-sources.ts'
import {archiveFolder, readManifest, type ArchivedFile} from './manifest.ts'

/** Sessions that their agent will delete soon and that are not archived. */
export interface AtRisk {
  agent: string
  /** Number of sessions. */
  sessions: number
  bytes: number
  withinDays: number
  /** After how many days the agent deletes a session. */
  keptDays: number
  /** The ids that the agent uses. */
  sessionIds: string[]
  files: FileAtRisk[]
}

/** A file that an agent will delete. */
interface FileAtRisk {
  path: string
  bytes: number
  /** The earliest time, in milliseconds since 1970; in the past if the agent deletes it when it starts next. */
  deletedAt: number
}

/** Options of {@link findAtRisk}. */
export interface AtRiskOptions {
  dataDir: string
  sessions: readonly ArchivableSession[]
  now?: number | undefined
  /** @defaultValue 7 */
  withinDays?: number | undefined
}

/** The only agent that deletes sessions by their age unless it is configured not to. */
const AGENT = 'claude'
const DEFAULT_KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Finds the sessions that Claude Code will delete: when it starts, it deletes transcripts that were last written more
 * than `cleanupPeriodDays` ago. `null` if there are none.
 */
export function findAtRisk(options: AtRiskOptions): AtRisk | null {
  const {dataDir, sessions, now = Date.now(), withinDays = 7} = options
  const archived = attempt(() => readManifest(archiveFolder(dataDir)))
  const keptDaysOf = createSettings()
  const until = now + withinDays * DAY_MS
  const files: FileAtRisk[] = []
  const sessionIds: string[] = []
  let keptDays = Infinity
  for (const {agent, sessionId, transcripts} of sessions) {
    if (agent !== AGENT) continue
    const before = files.length
    for (const {transcript} of transcripts) {
      const days = keptDaysOf(transcript.root)
      const deletedAt = transcript.stats.mtimeMs + days * DAY_MS
      if (deletedAt > until || isArchived(transcript, archived)) continue
      files.push({path: pathOf(transcript), bytes: transcript.stats.size, deletedAt})
      keptDays = Math.min(keptDays, days)
    }
    if (files.length > before) sessionIds.push(sessionId)
  }
  if (files.length === 0) return null
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return {agent: AGENT, sessions: sessionIds.length, bytes, withinDays, keptDays, sessionIds, files}
}

function isArchived(
  transcript: Transcript,
  archived: ReadonlyMap<string, ArchivedFile> | undefined,
): boolean {
  if (transcript.archive !== undefined) return true
  return archived?.get(keyOf(transcript))?.stamp === transcript.stamp
}

/** Finds after how many days Claude Code deletes the transcripts in a root, from the settings beside it. */
function createSettings(): (root: string) => number {
  const known = new Map<string, number>()
  return (root) => {
    const days = known.get(root) ?? readKeptDays(dirname(root))
    known.set(root, days)
    return days
  }
}

/** Settings in `settings.local.json` come first. Invalid ones are ignored. */
function readKeptDays(folder: string): number {
  for (const name of ['settings.local.json', 'settings.json']) {
    const settings = parseText((readTextFile(join(folder, name)) ?? '').replace(/^\ufeff/, ''))
    const days = isRecord(settings) ? settings['cleanupPeriodDays'] : undefined
    if (typeof days === 'number' && Number.isFinite(days) && days >= 0) return days
  }
  return DEFAULT_KEPT_DAYS
}
