import {homedir} from 'node:os'
import {formatBytes, formatCount, formatNumber, formatWhen} from '../core/text/figures.ts'
import {openArchive, type ArchivedSession} from '../history/archive/archive.ts'
import type {RestoredFile} from '../history/archive/restore.ts'
import {titleOf} from '../history/entries.ts'
import {readHistory} from '../history/history.ts'
import type {Session} from '../history/sessions.ts'
import {requireAgent} from './agent-names.ts'
import {CliError} from './cli-error.ts'
import {formatJsonLine, logToStderr, print} from './output.ts'
import {createProgressLine} from './progress-line.ts'
import {getStdoutStyle} from './style.ts'
import {formatTable, type Column} from './table.ts'

interface Flags {
  dataDir: string
  agent?: string
  to?: string
  all?: true
  force?: true
  json?: true
}

/** An archived session, with what lists show of it. */
interface Row {
  id: string
  agent: string
  sessionId: string
  title: string
  cwd: string
  files: number
  bytes: number
  writtenAt: number
  archivedAt: number
  isGone: boolean
  paths: string[]
}

const columns: Column<Row>[] = [
  {head: 'ID', cell: ({id}) => id.slice(0, 8)},
  {head: 'AGENT', cell: ({agent}) => agent},
  {head: 'TITLE', cell: ({title}) => title, minWidth: 16},
  {head: 'PROJECT', cell: ({cwd}) => cwd.split('/').at(-1) ?? '', minWidth: 8, isOptional: true},
  {head: 'WRITTEN', cell: ({writtenAt}) => formatWhen(writtenAt)},
  {head: 'SIZE', cell: ({bytes}) => formatBytes(bytes), isRight: true},
  {head: 'ORIGINAL', cell: ({isGone}) => (isGone ? 'gone' : 'exists')},
]

/** `vitrine archive list`. */
export async function listArchive({dataDir, agent, json}: Flags): Promise<void> {
  const id = agent === undefined ? undefined : requireAgent(agent).id
  const archived = openArchive(dataDir)
    .list()
    .filter((session) => id === undefined || session.agent === id)
  if (archived.length === 0 && json !== true) {
    return print('The archive is empty. Copy sessions into it with: vitrine archive\n')
  }
  const {sessions} = await readHistory({dataDir})
  const known = new Map(sessions.map((session) => [session.id, session]))
  const rows = archived.map((session) => toRow(session, known.get(session.id)))
  if (json === true) return print(rows.map(formatJsonLine).join(''))
  return print(formatTable(rows, columns, getStdoutStyle().width))
}

function toRow(archived: ArchivedSession, session: Session | undefined): Row {
  const {files, ...row} = archived
  return {
    ...row,
    title: session === undefined ? '' : titleOf(session),
    cwd: session?.cwd ?? '',
    files: files.length,
    paths: files.map(({key}) => key),
  }
}

/** `vitrine archive restore`. */
export async function restoreArchived(id: string | undefined, flags: Flags): Promise<void> {
  const {dataDir, to, json} = flags
  const archive = openArchive(dataDir)
  const sessions = chooseSessions(archive.list(), id, flags)
  const files = sessions.flatMap((session) => archive.restore(session, to))
  if (json === true) await print(files.map(formatJsonLine).join(''))
  else await print(describeRestored(files, to))
  for (const {path, state, reason = ''} of files) {
    if (state === 'different') {
      logToStderr(
        `${path} exists with other content and was not changed. Use --to to restore elsewhere`,
      )
    } else if (state === 'failed') logToStderr(`${path} was not restored: ${reason}`)
    else if (state === 'in-database') {
      logToStderr(
        `${path} is in a database, which is not changed. Use --to to write its records to a file`,
      )
    } else continue
    process.exitCode = 1
  }
}

function chooseSessions(
  sessions: readonly ArchivedSession[],
  id: string | undefined,
  {all, agent}: Flags,
): readonly ArchivedSession[] {
  const wanted = agent === undefined ? undefined : requireAgent(agent).id
  const known = sessions.filter((session) => wanted === undefined || session.agent === wanted)
  if ((id === undefined) === (all === undefined)) {
    throw new CliError(
      'name one session to restore, or use --all. List them with: vitrine archive list',
    )
  }
  return id === undefined ? known : [requireArchived(known, id)]
}

/** Finds an archived session by its id, the start of it, or that of the id that the agent uses. */
function requireArchived(sessions: readonly ArchivedSession[], id: string): ArchivedSession {
  const exact = sessions.filter((session) => session.id === id || session.sessionId === id)
  const matches =
    exact.length > 0
      ? exact
      : sessions.filter((session) => session.id.startsWith(id) || session.sessionId.startsWith(id))
  const [found] = matches
  if (found === undefined || id === '') {
    throw new CliError(`session ${id} is not in the archive. List it with: vitrine archive list`)
  }
  if (matches.length === 1) return found
  const shown = matches.slice(0, MAX_SHOWN).map((session) => session.id)
  const more = matches.length > MAX_SHOWN ? ', …' : ''
  throw new CliError(
    `session id ${id} is ambiguous: it matches ${shown.join(', ')}${more}. Give more characters of the id`,
  )
}

const MAX_SHOWN = 5

function describeRestored(files: readonly RestoredFile[], to: string | undefined): string {
  const restored = files.filter(({state}) => state === 'restored')
  const same = files.filter(({state}) => state === 'same').length
  const unchanged = same === 0 ? '' : `${formatNumber(same)} already there, unchanged`
  if (restored.length === 0)
    return unchanged === '' ? '' : `${formatCount(same, 'file')} already there, unchanged\n`
  const paths = restored.length > MAX_PATHS ? [] : restored.map(({path}) => `  ${shorten(path)}\n`)
  const where = to === undefined ? '' : ` to ${to}`
  const rest = unchanged === '' ? '' : `, ${unchanged}`
  return `Restored ${formatCount(restored.length, 'file')}${where}${rest}\n${paths.join('')}`
}

const MAX_PATHS = 20

function shorten(path: string): string {
  const home = homedir()
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** `vitrine archive verify`. */
export async function verifyArchive({dataDir, json}: Flags): Promise<void> {
  const archive = openArchive(dataDir)
  const progress = createProgressLine()
  const problems = archive.verify(({done, of}) =>
    progress.show(`Checking: ${formatNumber(done)} of ${formatCount(of, 'file')}`),
  )
  progress.clear()
  const {files, sessions} = archive.stats()
  if (json === true) await print(formatJsonLine({files, sessions, problems}))
  else if (problems.length === 0) {
    await print(
      `${formatCount(files, 'file')} of ${formatCount(sessions, 'session')}: all intact\n`,
    )
  } else {
    await print(`${formatCount(files, 'file')}: ${formatNumber(problems.length)} damaged\n`)
  }
  if (problems.length === 0) return
  for (const {path, reason} of problems) logToStderr(`${path}: ${reason}`)
  logToStderr(
    'to copy files again whose originals exist: vitrine archive rm <session>, then vitrine archive',
  )
  process.exitCode = 1
}

/** `vitrine archive rm`. */
export async function removeArchived(
  id: string | undefined,
  {dataDir, force}: Flags,
): Promise<void> {
  if (id === undefined)
    throw new CliError('name the session to remove. List them with: vitrine archive list')
  const archive = openArchive(dataDir)
  const session = requireArchived(archive.list(), id)
  if (session.isGone && force !== true) {
    throw new CliError(
      `the original of session ${session.id} is gone: the archive has the only copy. Use --force to remove it`,
    )
  }
  await archive.remove(session)
  await print(`Session ${session.id} removed from the archive\n`)
}
