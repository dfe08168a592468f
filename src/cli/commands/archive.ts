import {setTimeout} from 'node:timers/promises'
import {Argument, Command} from 'commander'
import {transcriptFormats} from '../../agents/transcripts.ts'
import {formatBytes, formatCount, formatNumber, formatShare} from '../../core/text/figures.ts'
import {archiveSessions, type ArchiveResult} from '../../history/archive/archive-sessions.ts'
import {openArchive, type ArchiveStats} from '../../history/archive/archive.ts'
import {findAtRisk} from '../../history/archive/at-risk.ts'
import {readHistory} from '../../history/history.ts'
import type {Session} from '../../history/sessions.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {requireAgent} from '../agent-names.ts'
import {listArchive, removeArchived, restoreArchived, verifyArchive} from '../archived-sessions.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {formatJsonLine, logToStderr, print} from '../output.ts'
import {createProgressLine} from '../progress-line.ts'
import {describeReading} from '../reading-progress.ts'
import {waitForInterrupt} from '../wait-for-interrupt.ts'

/** The flags of `vitrine archive`. */
export interface ArchiveFlags {
  agent?: string
  atRisk?: true
  watch?: true
  to?: string
  all?: true
  force?: true
  json?: true
  dataDir?: string
}

/** `vitrine archive`: copies sessions before their agents delete them. */
export const archiveCommand: Command = new Command('archive')
  .summary('copy sessions before agents delete them')
  .description('Copy session files of agents into the archive, or restore them from it.')
  .addArgument(
    new Argument(
      '[action]',
      'what to do with the archive (default: copy sessions into it)',
    ).choices(['list', 'restore', 'verify', 'rm'] as const),
  )
  .argument('[session]', 'id of a session, or the start of it, for restore and rm')
  .option('-a, --agent <name>', 'only sessions of this agent')
  .option('--at-risk', 'copy only sessions that the agent deletes within 7 days')
  .option('--watch', 'continue to copy what changes, until Ctrl-C')
  .option('--to <dir>', 'restore into this folder (default: where the files were)')
  .option('--all', 'restore all sessions')
  .option('--force', 'also remove sessions whose originals are gone')
  .option('--json', 'print JSON')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Copies are compressed, and content that is in several files is stored once. The
agents' files are only read. Sessions whose originals are gone stay listed.

list prints the archived sessions. restore writes the files of a session, byte
for byte and with their times; it never replaces a file that exists. verify
checks every copy. rm removes a session from the archive.

Claude Code deletes sessions after 30 days (its setting cleanupPeriodDays).

Examples:
  vitrine archive
  vitrine archive --at-risk
  vitrine archive list
  vitrine archive restore s7d1
  vitrine archive restore s7d1 --to ./restored`,
  )
  .action(async (action: Action | undefined, id: string | undefined, flags: ArchiveFlags) => {
    requireFitting(action, id, flags)
    const {dataDir = defaultDataDir()} = flags
    switch (action) {
      case 'list':
        return listArchive({...flags, dataDir})
      case 'restore':
        return restoreArchived(id, {...flags, dataDir})
      case 'verify':
        return verifyArchive({...flags, dataDir})
      case 'rm':
        return removeArchived(id, {...flags, dataDir})
      case undefined:
        return flags.watch === true ? watch({...flags, dataDir}) : archiveOnce({...flags, dataDir})
      default:
        return action satisfies never
    }
  })

type Action = 'list' | 'restore' | 'verify' | 'rm'

/** Which options each action has; `copy` is that without a name. */
const FLAGS_OF: Readonly<Record<Action | 'copy', readonly (keyof ArchiveFlags)[]>> = {
  copy: ['agent', 'atRisk', 'watch', 'json'],
  list: ['agent', 'json'],
  restore: ['agent', 'to', 'all', 'json'],
  verify: ['json'],
  rm: ['force'],
}

const OPTION_NAMES: Readonly<Record<keyof ArchiveFlags, string>> = {
  agent: '--agent',
  atRisk: '--at-risk',
  watch: '--watch',
  to: '--to',
  all: '--all',
  force: '--force',
  json: '--json',
  dataDir: '--data-dir',
}

function requireFitting(
  action: Action | undefined,
  id: string | undefined,
  flags: ArchiveFlags,
): void {
  const given = Object.entries(OPTION_NAMES).flatMap(([name, option]) =>
    Object.hasOwn(flags, name) && name !== 'dataDir' ? [option] : [],
  )
  const known = new Set(FLAGS_OF[action ?? 'copy'].map((name) => OPTION_NAMES[name]))
  const wrong = given.find((option) => !known.has(option))
  const command = ['vitrine archive', action].filter((part) => part !== undefined).join(' ')
  if (wrong !== undefined) throw new CliError(`${wrong} cannot be used with ${command}`)
  if (id !== undefined && action !== 'restore' && action !== 'rm') {
    throw new CliError(`${command} takes no session. To restore one: vitrine archive restore ${id}`)
  }
  if (flags.agent === undefined) return
  const agent = requireAgent(flags.agent)
  if (transcriptFormats.some((format) => format.agent === agent.id)) return
  throw new CliError(`--agent ${flags.agent}: ${agent.label} keeps no sessions that can be read`)
}

type CopyFlags = ArchiveFlags & {dataDir: string}

async function archiveOnce(flags: CopyFlags): Promise<void> {
  const {dataDir, json} = flags
  const report = createProblemReport()
  const sessions = await findSessions(flags, report)
  const progress = createProgressLine()
  const result = await archiveSessions({
    dataDir,
    sessions,
    onProgress: ({done, of}) =>
      progress.show(`Archiving: ${formatNumber(done)} of ${formatCount(of, 'session')}`),
  }).finally(progress.clear)
  for (const {path, reason} of result.problems) report(path, `not archived: ${reason}`)
  const stats = openArchive(dataDir).stats()
  await print(
    json === true ? formatJsonLine({...result, ...stats}) : describe(result, stats, flags),
  )
  if (result.problems.length > 0) process.exitCode = 1
}

type ReportProblem = (path: string, reason: string) => void

/** Reports each file once. */
function createProblemReport(): ReportProblem {
  const reported = new Set<string>()
  return (path, reason) => {
    if (reported.has(path)) return
    reported.add(path)
    logToStderr(`${path}: ${reason}`)
  }
}

/** The sessions to archive. */
async function findSessions(
  {dataDir, agent, atRisk}: CopyFlags,
  report: ReportProblem,
): Promise<readonly Session[]> {
  const reading = describeReading()
  const {sessions, problems} = await readHistory({dataDir, onProgress: reading.show})
  reading.clear()
  for (const {path, reason} of problems) report(path, reason)
  const id = agent === undefined ? undefined : requireAgent(agent).id
  const wanted = id === undefined ? sessions : sessions.filter((session) => session.agent === id)
  if (atRisk !== true) return wanted
  const ids = new Set(findAtRisk({dataDir, sessions: wanted})?.sessionIds)
  return wanted.filter(({sessionId}) => ids.has(sessionId))
}

function describe(result: ArchiveResult, stats: ArchiveStats, {atRisk}: ArchiveFlags): string {
  const {bytes, storedBytes} = stats
  const saved = bytes === 0 ? '' : ` (${formatShare(Math.max(0, 1 - storedBytes / bytes))} saved)`
  return (
    `${describeResult(result, atRisk === true)}\n` +
    `${formatCount(stats.sessions, 'session')}, ${formatCount(stats.files, 'file')} in the archive: ` +
    `${formatBytes(bytes)} in ${formatBytes(storedBytes)}${saved}\n`
  )
}

function describeResult(result: ArchiveResult, isAtRisk: boolean): string {
  const {newSessions, changedSessions, newFiles, changedFiles} = result
  const files = newFiles + changedFiles
  if (files === 0)
    return `Nothing new to archive${isAtRisk ? ': no session will be deleted soon' : ''}`
  const sessions = [
    ...(newSessions > 0 ? [formatCount(newSessions, 'new session')] : []),
    ...(changedSessions > 0 ? [formatCount(changedSessions, 'changed session')] : []),
  ]
  const what = sessions.length === 0 ? 'Archived' : `Archived ${sessions.join(' and ')},`
  return `${what} ${formatCount(files, 'file')}`
}

const WATCH_INTERVAL_MS = 3000

/** Archives what has changed, again and again. */
async function watch(flags: CopyFlags): Promise<void> {
  const controller = new AbortController()
  const {signal} = controller
  void waitForInterrupt().then(() => controller.abort())
  const report = createProblemReport()
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const sessions = await findSessions(flags, report)
    const result = await archiveSessions({dataDir: flags.dataDir, sessions, signal})
    for (const {path, reason} of result.problems) report(path, `not archived: ${reason}`)
    await reportPass(result, isFirst, flags)
    await setTimeout(WATCH_INTERVAL_MS, undefined, {signal}).catch(() => {})
  }
}

async function reportPass(
  result: ArchiveResult,
  isFirst: boolean,
  flags: CopyFlags,
): Promise<void> {
  const count = result.newFiles + result.changedFiles
  if (count === 0 && !isFirst) return
  const stats = openArchive(flags.dataDir).stats()
  if (flags.json === true) return print(formatJsonLine({...result, ...stats}))
  await print(describe(result, stats, flags))
  if (isFirst) await print('Watching for changes. Stop with Ctrl-C\n')
}
