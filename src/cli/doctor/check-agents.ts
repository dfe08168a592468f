import {statSync} from 'node:fs'
import {agents} from '../../agents/list.ts'
import {transcriptFormats} from '../../agents/transcripts.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import {formatCount, formatNumber} from '../../core/text/figures.ts'
import type {History} from '../../history/history.ts'
import type {Problem, SessionFolder} from '../../history/discover.ts'
import {openSessionEvents} from '../../history/session-events.ts'
import type {Session} from '../../history/sessions.ts'
import {attempt} from '../../recording/attempt.ts'
import type {Check} from '../../terminal/doctor.ts'
import {findProgram, readVersion} from '../programs.ts'
import {shortenHome} from './shorten-home.ts'

/** An agent that may be installed. */
export interface InstalledAgent {
  adapter: Adapter
  isInstalled: boolean
  version: string | null
}

const GROUP = 'Agents'

/** Finds the installed agents. */
export function findInstalled(): Promise<InstalledAgent[]> {
  const known = agents.filter(({commands}) => commands.length > 0)
  return Promise.all(
    known.map(async (adapter) => {
      const path = findProgram(adapter.commands)
      const version = path === null ? null : await readVersion(path)
      return {adapter, isInstalled: path !== null, version}
    }),
  )
}

/** Checks each agent: its version, its sessions and whether all of them can be read. */
export function checkAgents(installed: readonly InstalledAgent[], history: History): Check[] {
  const until = performance.now() + MAX_SAMPLE_MS
  const withSessions = new Set(history.sessions.map(({agent}) => agent))
  let left = withSessions.size
  return installed.map((agent) => {
    const {id} = agent.adapter
    const sessions = history.sessions.filter((session) => session.agent === id)
    const share = (until - performance.now()) / Math.max(1, left)
    if (sessions.length > 0) left--
    const unknown = listUnknown(sessions, performance.now() + share)
    return checkAgent(agent, sessions, history, unknown)
  })
}

/** Reading the sample takes no longer for all agents. */
const MAX_SAMPLE_MS = 2000
const SAMPLE_SIZE = 3

/** The types of records in the newest sessions that are not known. */
function listUnknown(sessions: readonly Session[], until: number): string[] {
  const names = sessions.slice(0, SAMPLE_SIZE).flatMap((session) => {
    const reader = openSessionEvents(session)
    // A session that cannot be read is reported elsewhere.
    attempt(() => {
      for (const _ of reader.read()) if (performance.now() > until) break
    })
    return reader.drift().flatMap(({kind, name}) => (kind === 'field' ? [] : [name]))
  })
  return [...new Set(names)]
}

function checkAgent(
  {adapter, isInstalled, version}: InstalledAgent,
  sessions: readonly Session[],
  history: History,
  unknown: readonly string[],
): Check {
  const name = version === null ? adapter.id : `${adapter.id} ${version}`
  const check = {group: GROUP, name}
  const folders = history.folders.filter(({agent}) => agent === adapter.id)
  const problem = findProblem(folders, history.problems)
  if (problem !== undefined) {
    const text = `${shortenHome(problem.path)}: ${problem.reason}`
    return {...check, state: problem.isFolder ? 'fail' : 'warning', text, fix: problem.fix}
  }
  if (sessions.length === 0 && !isInstalled) return {...check, state: 'none', text: 'not installed'}
  const hasFormat = transcriptFormats.some(({agent}) => agent === adapter.id)
  if (!hasFormat)
    return {...check, state: 'pass', text: 'installed; keeps no sessions that can be read'}
  const text = describeSessions(sessions, folders) + (isInstalled ? '' : '; not installed')
  if (unknown.length === 0) return {...check, state: 'pass', text}
  const types = `${formatCount(unknown.length, 'unknown record type')}: ${listNames(unknown)}`
  const fix = 'Nothing is lost. Update: npm install --global vitrine'
  return {...check, state: 'warning', text: `${text}, ${types}`, fix}
}

function describeSessions(sessions: readonly Session[], folders: readonly SessionFolder[]): string {
  const found = folders.filter(({state}) => state === 'found').map(({path}) => path)
  const count = formatCount(sessions.length, 'session')
  if (found.length === 0) return `no folder with sessions yet`
  const used = found.filter((path) =>
    sessions.some(({transcripts}) => transcripts.some(({transcript}) => transcript.root === path)),
  )
  const [first = '', ...others] = used.length > 0 ? used : found
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other folder')}`
  return `${count} in ${shortenHome(first)}${more}`
}

const MAX_NAMES = 3

function listNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`
}

interface FoundProblem extends Problem {
  isFolder: boolean
  fix: string
}

/** The first folder or file of an agent that cannot be read: folders first, as they can hide many sessions. */
function findProblem(
  folders: readonly SessionFolder[],
  all: readonly Problem[],
): FoundProblem | undefined {
  const own = all.filter(({path}) =>
    folders.some((folder) => path === folder.path || path.startsWith(`${folder.path}/`)),
  )
  const problems = own.map((problem) => {
    const stats = attempt(() => statSync(problem.path))
    // A folder that cannot be examined is in one that cannot be entered.
    const isFolder = stats?.isDirectory() ?? true
    return {
      path: problem.path,
      reason: problem.reason,
      isFolder,
      fix: describeFix(problem, isFolder, stats?.uid),
    }
  })
  return problems.find(({isFolder}) => isFolder) ?? problems[0]
}

function describeFix(
  {path, reason}: Problem,
  isFolder: boolean,
  owner: number | undefined,
): string {
  if (reason !== 'permission denied')
    return 'Check this file with its agent. Other sessions are not affected'
  const own = process.getuid?.()
  if (owner !== undefined && own !== undefined && owner !== own) {
    return `It belongs to another user. Run: sudo chown "$USER" ${shortenHome(path)}`
  }
  return `Run: chmod ${isFolder ? 'u+rx' : 'u+r'} ${shortenHome(path)}`
}
