import {rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {HubAddress, Reporter, ReportTrouble} from '../hub/ingest/reporter.ts'
import type {CommandOutcome, RunCommand} from '../hub/live/bus.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {describePlainHub, findHub, toUrl, type HubFlags} from './hub-place.ts'
import {remark} from './output.ts'

/** Tells a hub of a run, when there is one. */
export interface Report {
  /** Waits a moment for the hub to have everything; what it lacks then can be sent later. */
  finish(): Promise<void>
}

const LOOK_MS = 2000
const PATIENCE_MS = 5000

/** Begins to tell a hub of a run: the one that was named, or the local one as soon as it is there. */
export function reportRun(run: AgentRun, flags: HubFlags): Report {
  let address: HubAddress | null = null
  let reporter: Reporter | undefined
  let isOver = false
  const warning = flags.hub === undefined ? undefined : describePlainHub(toUrl(flags.hub))
  if (warning !== undefined) remark(warning)
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  const looking = look()
  return {
    async finish() {
      isOver = true
      clearInterval(timer)
      await looking
      // The local hub reads the recording itself.
      const isDone = (await reporter?.finish(flags.hub === undefined ? 0 : PATIENCE_MS)) ?? true
      if (flags.hub === undefined) return
      markSent(run.dir, isDone, address?.url ?? '')
      if (isDone) return
      remark(
        `the hub has not got all of run ${run.runId}. It gets the rest with: vitrine report ${run.runId} --hub ${flags.hub}`,
      )
    },
  }

  async function look(): Promise<void> {
    address = await findHub(flags)
    if (address === null || reporter !== undefined || isOver) return
    // Loaded when it is needed: whoever runs an agent wants it to start.
    const {createReporter} = await import('../hub/ingest/reporter.ts')
    // Another look may have been faster, or the run.
    if (reporter !== undefined || (isOver && flags.hub === undefined)) return
    reporter = createReporter({
      dir: run.dir,
      locate: () => address,
      onCommand: (command) => obey(run, command),
      onTrouble: (trouble, url) => {
        // A local hub that ends is no trouble.
        if (flags.hub !== undefined || trouble === 'replaced') remark(describeTrouble(trouble, url))
      },
    })
  }
}

/** What is wrong with a hub, in a line. */
export function describeTrouble(trouble: ReportTrouble, url: string): string {
  switch (trouble) {
    case 'bad-token':
      return "hub refused the token. It is in <data-dir>/token on the hub's machine; give it as VITRINE_TOKEN"
    case 'refused':
      return `${new URL(url).host} is no hub that takes runs; going on without it. Recorded here`
    case 'replaced':
      return `another runner took over this run at ${new URL(url).host}, which no longer gets its output from here. If you did not start it, replace the token of the hub: vitrine token --help`
    case 'no-answer':
      return `hub at ${new URL(url).host} does not answer; going on without it. Recorded here`
    default:
      return trouble satisfies never
  }
}

/** Does what somebody who watches wants. */
function obey(run: AgentRun, command: RunCommand): CommandOutcome {
  if (command.type === 'stop') {
    run.stop('from the dashboard')
    return {ok: true}
  }
  const {requestId, allow, message = 'The user said no.', rule, input, answers} = command
  const answer = allow ? {allow, input, answers, rule} : {allow, message}
  try {
    if (run.answer(requestId, answer, 'dashboard')) return {ok: true}
  } catch (error) {
    return {ok: false, code: 'bad-field', message: (error as Error).message}
  }
  const sorry = 'Nobody waits for this answer: it was given, or the agent has moved on.'
  return {ok: false, code: 'no-such-request', message: sorry}
}

/** A run that a hub lacks a part of is known by a file. */
export function markSent(dir: string, isDone: boolean, url: string): void {
  const path = join(dir, UNSENT)
  try {
    if (isDone) rmSync(path, {force: true})
    else writeFileSync(path, `${url}\n`, {mode: PRIVATE_FILE_MODE})
  } catch {
    // Then it is sent when somebody asks for it.
  }
}

/** The name of the file that says that a hub lacks a part of a run. */
export const UNSENT = 'unsent'
