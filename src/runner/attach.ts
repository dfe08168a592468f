import {statSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {findAgent} from '../agents/find-agent.ts'
import {takeOverRun} from './take-over.ts'
import {attempt} from '../recording/attempt.ts'
import {isAlive, type ProcessId} from '../recording/process-id.ts'
import {describeMissingRun, findRun} from '../recording/list-runs.ts'
import {recordingAt} from '../recording/recording.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {RunError} from '../recording/run-error.ts'
import {findAgentProcess, supervisionOf} from '../recording/supervision.ts'
import type {AgentRun, SuperviseOptions} from './agent-run.ts'
import type {ProcessEnd} from '../core/run/run-result.ts'
import {supervise} from './supervise.ts'

/** Which run to attach to. */
export interface AttachOptions extends SuperviseOptions {
  runId: string
  /** Directory of the recordings. */
  dataDir?: string | undefined
}

const POLL_INTERVAL_MS = 100

/**
 * Replays a run from its start and follows it while it runs. If its supervisor has died, this process takes over:
 * it enforces the limits and records the result.
 *
 * @throws RunError when there is no such run.
 */
export function attach(options: AttachOptions): AgentRun {
  const found = findRun(options.runId, options.dataDir)
  if (found === null) {
    throw new RunError('no-such-run', describeMissingRun(options.runId, options.dataDir))
  }
  const {dir, record} = found
  const isOver = record.result !== undefined
  const process = findAgentProcess(record)
  const isGone = process === undefined || !isAlive(process)
  const agent = record.agent === null ? null : findAgent(record.agent)
  let isOwner = !isOver && tryToTakeOver()
  const ended = isOver
    ? Promise.resolve(toProcessEnd(record))
    : isOwner
      ? waitForProcess(process)
      : waitForEnd()
  return supervise(
    {
      dir,
      record,
      agent,
      // The pid of an ended process may be in use by another one.
      pid: isGone ? 0 : process.pid,
      ended,
      endedAt: isGone ? readLastWriteTime(dir) : undefined,
      get isOwner() {
        return isOwner
      },
    },
    // The limits of the run stay in force after a takeover.
    {...record.limits, ...options},
  )

  function tryToTakeOver(): boolean {
    // The recording may be read-only.
    return attempt(() => takeOverRun(dir, record)) ?? false
  }

  /** Waits until the supervisor has recorded the result, or takes over from it. */
  async function waitForEnd(): Promise<ProcessEnd> {
    for (;;) {
      const now = readRunRecord(dir)
      if (now === null || now.result !== undefined) return toProcessEnd(now)
      Object.assign(record, now)
      isOwner = tryToTakeOver()
      if (isOwner) return waitForProcess(findAgentProcess(record))
      if (supervisionOf(record) === 'unknown') return toProcessEnd(record)
      await setTimeout(POLL_INTERVAL_MS)
    }
  }
}

/** The exit code is known only to the parent process. */
async function waitForProcess(process: ProcessId | undefined): Promise<ProcessEnd> {
  const isGone = () => process === undefined || !isAlive(process)
  while (!isGone()) await setTimeout(POLL_INTERVAL_MS)
  return {exitCode: null, signal: null}
}

function toProcessEnd(record: RunRecord | null): ProcessEnd {
  const {exitCode = null, signal = null} = record?.result ?? {}
  return {exitCode, signal}
}

/** The time of the last output: the best estimate of the end of an unsupervised run. */
function readLastWriteTime(dir: string): number | undefined {
  const {stdout, stderr} = recordingAt(dir)
  const times = [stdout, stderr].flatMap((file) => {
    const stats = statSync(file, {throwIfNoEntry: false})
    return stats === undefined ? [] : [Math.round(stats.mtimeMs)]
  })
  return times.length === 0 ? undefined : Math.max(...times)
}
