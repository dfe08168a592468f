import {writeFileSync} from 'node:fs'
import process from 'node:process'
import {findAgent} from '../agents/find-agent.ts'
import type {RunResult} from '../core/run/run-result.ts'
import {toProcessId} from '../recording/process-id.ts'
import {PRIVATE_FILE_MODE} from '../recording/private-mode.ts'
import {createRecording, recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {supervise} from '../runner/supervise.ts'
import {getStoryDir, moveToNow, readStoryParts, type Story} from './stories.ts'

/** Records a story as a run that has ended, with a verdict like any run. */
export function recordPastRun(
  story: Story,
  {dataDir, cwd, argv}: {dataDir: string; cwd: string; argv: string[]},
): Promise<RunResult> {
  const {agent, prompt, workOrder, limits, durationMs, exitCode, signal, minutesAgo = 0} = story
  const {runId, dir} = createRecording(dataDir)
  const endedAt = Date.now() - minutesAgo * 60_000
  const startedAt = endedAt - durationMs
  const files = recordingAt(dir)
  const lines = readStoryParts(getStoryDir(story)).map(({atMs, bytes}) => ({
    at: startedAt + atMs,
    bytes: moveToNow(bytes, cwd, (ms) => startedAt + ms),
  }))
  writeFileSync(files.stdout, Buffer.concat(lines.map(({bytes}) => bytes)), PRIVATE)
  writeFileSync(files.stderr, '', PRIVATE)
  let end = 0
  const times = lines.map(({at, bytes}) => `[${at},"out",${(end += bytes.length)}]\n`)
  writeFileSync(files.timing, times.join(''), PRIVATE)
  const record: RunRecord = {
    version: 1,
    runId,
    argv,
    ranArgv: argv,
    cwd,
    agent,
    prompt,
    startedAt,
    marker: `${runId}-demo`,
    supervisor: toProcessId(process.pid),
    limits,
    workOrder,
    isWatched: false,
  }
  writeRunRecord(dir, record)
  const ended = Promise.resolve({exitCode, signal})
  const job = {dir, record, agent: findAgent(agent), pid: 0, ended, endedAt, isOwner: true}
  return drain(supervise(job, {...limits}))
}

const PRIVATE = {mode: PRIVATE_FILE_MODE}

/** Consumes all events of a run, because it waits for its consumer, and returns the result. */
export async function drain(
  run: AsyncIterable<unknown> & {result: Promise<RunResult>},
): Promise<RunResult> {
  for await (const event of run) void event
  return run.result
}
