import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {createReporter, type HubAddress} from '../../hub/ingest/reporter.ts'
import {readHistory} from '../../history/history.ts'
import {openSessionRecording} from '../../history/session-recording.ts'
import type {Session} from '../../history/sessions.ts'
import {findRun, listRuns, type RecordedRun} from '../../recording/list-runs.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {describeUnencryptedHub, requireHub, type HubFlags} from '../find-hub.ts'
import {requireRun} from '../find-recording.ts'
import {findSession} from '../find-session.ts'
import {print, logToStderr} from '../output.ts'
import {describeReportTrouble, markSent, UNSENT_FILE} from '../report-run.ts'
import {parseDuration} from '../option-values.ts'

interface ReportFlags extends HubFlags {
  sessions?: true
  timeout?: number
}

const SEND_TIMEOUT_MS = 60_000

/** `vitrine report`: sends recordings to a hub. */
export const report: Command = new Command('report')
  .summary('send recordings to a hub')
  .description(
    'Send recordings to a hub: the given runs and sessions, or all runs that were not sent completely.',
  )
  .argument('[run...]', 'ids of runs and sessions')
  .option('--sessions', 'send all sessions in the files of agents too')
  .option('--hub <url>', 'URL of the hub (default: the hub on this machine)')
  .addOption(createDataDirOption())
  .option('--timeout <duration>', 'how long to try for each run (default: 60s)', parseDuration)
  .addHelpText(
    'after',
    `
The token of a hub on another machine is read from VITRINE_TOKEN.

Examples:
  vitrine report --hub https://hub.example:4310
  vitrine report 7f3a --hub https://hub.example:4310
  vitrine report --sessions                     all sessions of this machine`,
  )
  .action(async (ids: string[], flags: ReportFlags) => {
    const address = await requireHub(flags)
    const warning = describeUnencryptedHub(address.url)
    if (warning !== undefined) logToStderr(warning)
    const timeoutMs = flags.timeout ?? SEND_TIMEOUT_MS
    const {runs, sessions} = await choose(ids, flags)
    for (const run of runs) await send(run, address, timeoutMs)
    for (const session of sessions) await sendSession(session, address, timeoutMs)
    const parts = [formatCount(runs.length, 'recording')]
    if (sessions.length > 0) parts.push(formatCount(sessions.length, 'session'))
    await print(`${parts.join(' and ')} sent\n`)
  })

async function choose(
  ids: readonly string[],
  {dataDir, sessions: wantsAll}: ReportFlags,
): Promise<{runs: RecordedRun[]; sessions: Session[]}> {
  const sessions = wantsAll === true ? await listSessions(dataDir) : []
  if (ids.length === 0) return {runs: listUnsent(dataDir), sessions}
  const runs: RecordedRun[] = []
  for (const id of ids) {
    const session = findRun(id, dataDir) === null ? await findSession(id, dataDir) : undefined
    if (session === undefined) runs.push(requireRun(id, dataDir))
    else sessions.push(session)
  }
  return {runs, sessions}
}

/** The sessions that are not runs: those are sent as runs. */
async function listSessions(dataDir: string | undefined): Promise<Session[]> {
  const {entries} = await readHistory({dataDir})
  return entries.flatMap(({session, run}) =>
    session !== undefined && run === undefined ? [session] : [],
  )
}

/** Sends a copy of a session in the form of a recording. */
async function sendSession(session: Session, address: HubAddress, timeoutMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-report-'))
  const copy = openSessionRecording(join(folder, session.id), session)
  try {
    copy.finish()
    copy.close()
    await send(copy, address, timeoutMs)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

function listUnsent(dataDir: string | undefined): RecordedRun[] {
  return listRuns(dataDir).filter(({dir}) => existsSync(join(dir, UNSENT_FILE)))
}

async function send({dir, record}: RecordedRun, address: HubAddress, timeoutMs: number) {
  const failure = await new Promise<string | undefined>((resolve) => {
    const reporter = createReporter({
      dir,
      locate: () => address,
      onTrouble(trouble, url) {
        resolve(describeReportTrouble(trouble, url))
        // The failure is final, so there is nothing to wait for.
        reporter.close()
      },
    })
    const late = `run ${record.runId} was not sent completely in time. Try again, or use a longer --timeout`
    void reporter.finish(timeoutMs).then((isDone) => resolve(isDone ? undefined : late))
  })
  markSent(dir, failure === undefined, address.url)
  if (failure !== undefined) throw new CliError(failure, 1)
}
