import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {HubAddress, Reporter, ReportTrouble} from '../hub/ingest/reporter.ts'
import type {CommandOutcome, RunCommand} from '../hub/live/bus.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {describeUnencryptedHub, findHub, parseHubUrl, type HubFlags} from './find-hub.ts'
import {logToStderr} from './output.ts'

/** Reports a run to a hub */
export interface RunReport {
  /** Waits a few seconds for the hub to receive everything; the rest can be sent later. */
  finish(): Promise<void>
}

const POLL_INTERVAL_MS = 2000
const FLUSH_TIMEOUT_MS = 5000

/** Reports a run to the hub given with `--hub`, or to the local one as soon as it runs. */
export function reportRun(run: AgentRun, flags: HubFlags): RunReport {
  let address: HubAddress | null = null
  let reporter: Reporter | undefined
  let isOver = false
  const warning =
    flags.hub === undefined ? undefined : describeUnencryptedHub(parseHubUrl(flags.hub))
  if (warning !== undefined) logToStderr(warning)
  const timer = setInterval(() => void connect(), POLL_INTERVAL_MS).unref()
  const connecting = connect()
  return {
    async finish() {
      isOver = true
      clearInterval(timer)
      await connecting
      // The local hub reads the recording itself.
      const isDone =
        (await reporter?.finish(flags.hub === undefined ? 0 : FLUSH_TIMEOUT_MS)) ?? true
      if (flags.hub === undefined) return
      markSent(run.dir, isDone, address?.url ?? '')
      if (isDone) return
      logToStderr(
        `run ${run.runId} was not sent completely. Send the rest with: vitrine report ${run.runId} --hub ${flags.hub}`,
      )
    },
  }

  async function connect(): Promise<void> {
    address = await findHub(flags)
    if (address === null || reporter !== undefined || isOver) return
    // Loaded late, so that the agent starts sooner.
    const {createReporter} = await import('../hub/ingest/reporter.ts')
    // Another poll may have connected meanwhile, or the run may have ended.
    if (reporter !== undefined || (isOver && flags.hub === undefined)) return
    reporter = createReporter({
      dir: run.dir,
      locate: () => address,
      onCommand: (command) => executeCommand(run, command),
      onTrouble: (trouble, url) => {
        // A local hub may stop at any time.
        if (flags.hub !== undefined || trouble === 'replaced')
          logToStderr(describeReportTrouble(trouble, url))
      },
    })
  }
}

/** Describes on one line why a hub does not receive a run. */
export function describeReportTrouble(trouble: ReportTrouble, url: string): string {
  switch (trouble) {
    case 'bad-token':
      return `${new URL(url).host} rejected the token. Set VITRINE_TOKEN to the token in <data-dir>/token on the hub's machine`
    case 'refused':
      return `${new URL(url).host} did not accept the run. Continuing; the recording is local`
    case 'replaced':
      return `another runner took over reporting this run to ${new URL(url).host}. If that is unexpected, replace the token of the hub: vitrine token --help`
    case 'no-answer':
      return `${new URL(url).host} does not respond. Continuing; the recording is local`
    default:
      return trouble satisfies never
  }
}

/** Executes a command from the dashboard. */
function executeCommand(run: AgentRun, command: RunCommand): CommandOutcome {
  if (command.type === 'stop') {
    run.stop('from the dashboard')
    return {ok: true}
  }
  const {
    requestId,
    allow,
    message = 'The user denied this request.',
    rule,
    input,
    answers,
  } = command
  const answer = allow ? {allow, input, answers, rule} : {allow, message}
  try {
    if (run.answer(requestId, answer, 'dashboard')) return {ok: true}
  } catch (error) {
    return {ok: false, code: 'bad-field', message: (error as Error).message}
  }
  const gone = 'This request is no longer open: it was answered or cancelled.'
  return {ok: false, code: 'no-such-request', message: gone}
}

/** Marks a recording that was not sent completely with a file. */
export function markSent(dir: string, isDone: boolean, url: string): void {
  const path = join(dir, UNSENT_FILE)
  try {
    if (isDone) rmSync(path, {force: true})
    else writeFileSync(path, `${url}\n`, {mode: PRIVATE_FILE_MODE})
  } catch {
    // Without the mark, `vitrine report <run>` still sends it.
  }
}

/** The file that marks a recording as not sent completely. */
export const UNSENT_FILE = 'unsent'
