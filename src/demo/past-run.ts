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
import {folderOf, type Story} from './stories.ts'
import {adapt, readLines} from './telling.ts'

/** Puts a story among the runs that are over, and has it judged as every run is. */
export function recordPastRun(
  story: Story,
  {dataDir, cwd, argv}: {dataDir: string; cwd: string; argv: string[]},
): Promise<RunResult> {
  const {agent, prompt, workOrder, limits, durationMs, exitCode, signal, minutesAgo = 0} = story
  const {runId, dir} = createRecording(dataDir)
  const endedAt = Date.now() - minutesAgo * 60_000
  const startedAt = endedAt - durationMs
  const files = recordingAt(dir)
  const lines = readLines(folderOf(story)).map(({atMs, text}) => {
    const told = Buffer.from(adapt(text, cwd, (ms) => startedAt + ms))
    return {at: startedAt + atMs, bytes: told}
  })
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

/** Takes the events of a run, without which it does not go on, to its end. */
export async function drain(
  run: AsyncIterable<unknown> & {result: Promise<RunResult>},
): Promise<RunResult> {
  for await (const event of run) void event
  return run.result
}
