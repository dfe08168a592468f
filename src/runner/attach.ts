import {pid as ownPid} from 'node:process'
import {setTimeout} from 'node:timers/promises'
import {findAgent} from '../agents/index.ts'
import {identify, isAlive, type ProcessId} from './process.ts'
import {
  findRun,
  readRunRecord,
  readTiming,
  recordingAt,
  writeRunRecord,
  type RunRecord,
} from './recording.ts'
import {RunError} from './run-error.ts'
import {findProcess, whereabouts} from './whereabouts.ts'
import {supervise, type AgentRun, type ProcessEnd, type SuperviseOptions} from './supervise.ts'

/** Which run to look at. */
export interface AttachOptions extends SuperviseOptions {
  runId: string
  /** Where recordings are kept. */
  dataDir?: string | undefined
}

const LOOK_AGAIN_MS = 100

/**
 * Shows a run from its beginning and goes on with it while it runs. When whoever looked after it is gone, it is ours:
 * its limits, its end, its verdict.
 *
 * @throws RunError when there is no such run.
 */
export function attach(options: AttachOptions): AgentRun {
  const found = findRun(options.runId, options.dataDir)
  if (found === null) {
    throw new RunError('no-such-run', `run ${options.runId} is not here. Recordings: vitrine runs`)
  }
  const {dir, record} = found
  const isOver = record.result !== undefined
  const isOwner = !isOver && whereabouts(record) !== 'supervised'
  if (isOwner) writeRunRecord(dir, {...record, supervisor: identify(ownPid)})
  const process = findProcess(record)
  const agent = record.agent === null ? null : findAgent(record.agent)
  const pieces = readTiming(recordingAt(dir).timing)
  const ended = isOver ? endOf(record) : isOwner ? waitForProcess(process) : waitForEnd(dir)
  const pid = process?.pid ?? 0
  return supervise(
    {dir, record, agent, pid, ended: Promise.resolve(ended), isOwner, pieces},
    options,
  )
}

/** Nobody is told the exit code of a process that is not theirs. */
async function waitForProcess(process: ProcessId | undefined): Promise<ProcessEnd> {
  const isGone = () => process === undefined || !isAlive(process)
  while (!isGone()) await setTimeout(LOOK_AGAIN_MS)
  return {exitCode: null, signal: null}
}

/** Waits until the one that looks after a run has written down how it ended, or is gone. */
async function waitForEnd(dir: string): Promise<ProcessEnd> {
  for (;;) {
    const record = readRunRecord(dir)
    if (record === null || record.result !== undefined) return endOf(record)
    if (whereabouts(record) === 'unseen') return endOf(record)
    await setTimeout(LOOK_AGAIN_MS)
  }
}

function endOf(record: RunRecord | null): ProcessEnd {
  const {exitCode = null, signal = null} = record?.result ?? {}
  return {exitCode, signal}
}
