import {cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {AgentEvent} from '../../src/core/events/events.ts'
import type {Drift} from '../../src/core/events/drift.ts'
import type {TranscriptFormat} from '../../src/core/events/transcript.ts'
import {discoverTranscripts} from '../../src/history/discover.ts'
import {openSessionEvents} from '../../src/history/session-events.ts'
import {scanTranscript} from '../../src/history/scan.ts'
import {groupSessions, toScannedTranscript, type Session} from '../../src/history/sessions.ts'
import type {UsageRequest} from '../../src/history/usage/report.ts'

/** Session files that the real agents wrote, with what the model server logged about them. */
export const TRANSCRIPTS: string = fileURLToPath(new URL('../transcripts', import.meta.url))

/** Where agents keep their sessions below the home folder. */
const FOLDERS: Readonly<Record<string, string>> = {
  claude: '.claude',
  codex: '.codex',
  gemini: '.gemini',
  opencode: '.local/share/opencode',
  'opencode-wal': '.local/share/opencode',
  qwen: '.qwen',
  copilot: '.copilot',
  pi: '.pi/agent',
  cline: '.cline/data',
  kimi: '.kimi-code',
}

/** Creates a temporary home folder with the sessions of agents; remove it afterwards with `removeHome`. */
export function createHome(...folders: string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'vitrine-home-'))
  copySessions(home, ...folders)
  return home
}

/** Copies the sessions of agents to a home folder. */
export function copySessions(home: string, ...folders: string[]): void {
  for (const folder of folders) {
    const target = sessionFolder(home, folder)
    cpSync(join(TRANSCRIPTS, folder), target, {
      recursive: true,
      filter: (path) => !path.endsWith('/truth'),
    })
    if (!existsSync(dirname(target))) throw new Error(`${target} was not created`)
  }
}

/** Where an agent keeps its sessions in a home folder. */
export function sessionFolder(home: string, folder: string): string {
  return join(home, FOLDERS[folder] ?? folder)
}

export function removeHome(home: string): void {
  rmSync(home, {recursive: true, force: true})
}

/** A session with its requests decoded. */
export type ScannedSession = Session & {requests: UsageRequest[]}

/** The sessions below a home folder. */
export function scanHome(format: TranscriptFormat, home: string): ScannedSession[] {
  const {transcripts} = discoverTranscripts([format], {home, env: {}})
  const scanned = transcripts.map((transcript) => {
    const scan = scanTranscript(transcript)
    if (scan.problem !== undefined) throw new Error(`${transcript.path}: ${scan.problem}`)
    return toScannedTranscript(transcript, scan)
  })
  return groupSessions(scanned).map((session) =>
    Object.assign(session, {requests: [...session.requests]}),
  )
}

/** The events of a session, and the drift in its records. */
export function translateSession(session: Session): {events: AgentEvent[]; drift: Drift[]} {
  const reader = openSessionEvents(session)
  const events = [...reader.read()]
  return {events, drift: reader.drift()}
}

/** What happened in a session, from the log of the model server. */
export interface Truth {
  sessionIds: string[]
  cwd: string
  /** Relative to the folder of the agent. */
  files: string[]
  models: string[]
  forkedFrom?: string
  requests: (TrueTokens & {at: string})[]
  /** One for each process. */
  runs: {startedAt: string; endedAt: string}[]
  totals: TrueTokens
  toolCalls: number
  toolFailures: number
  toolsUnfinished: number
  startedAt: string
  endedAt: string
  ended: 'ok' | 'error' | 'interrupted'
}

/** Counts of a request, as the truth has them. */
export interface TrueTokens {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** The truth of every session in a folder of {@link TRANSCRIPTS}. */
export function readTruth(folder: string): {
  total: {sessions: number; requests: number; totals: TrueTokens}
  sessions: Truth[]
} {
  const truth = join(TRANSCRIPTS, folder, 'truth')
  const read = (name: string): unknown => JSON.parse(readFileSync(join(truth, name), 'utf8'))
  const names = readdirSync(truth).filter((name) => name !== 'total.truth.json')
  return {
    total: read('total.truth.json') as ReturnType<typeof readTruth>['total'],
    sessions: names.map((name) => read(name) as Truth),
  }
}
