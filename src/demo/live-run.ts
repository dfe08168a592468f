import process from 'node:process'
import type {AgentRun} from '../runner/agent-run.ts'
import {run} from '../runner/run.ts'
import {getStoryDir, type Story} from './stories.ts'
import type {FakeProgramJob} from './fake-program.ts'

/** The demo continues without an answer after this time. */
const ANSWER_TIMEOUT_MS = 10 * 60_000

/** Starts a process that replays a story, supervised like any agent. */
export function startLiveRun(
  story: Story,
  {dataDir, cwd, args, speed}: {dataDir: string; cwd: string; args: string[]; speed: number},
): AgentRun {
  const {agent, durationMs, exitCode, signal, workOrder, limits = {}, asks} = story
  const folder = getStoryDir(story)
  const job: FakeProgramJob = {folder, speed, durationMs, exitCode, signal, asks}
  const {timeoutMs, silenceMs, ...rest} = limits
  return run({
    command: process.execPath,
    args,
    agent,
    cwd,
    dataDir,
    env: {...process.env, VITRINE_DEMO: JSON.stringify(job)},
    workOrder,
    watch: false,
    ...rest,
    timeoutMs: timeoutMs && timeoutMs / speed,
    silenceMs: silenceMs && silenceMs / speed,
    ...(asks && {permissions: 'ask', answerTimeoutMs: ANSWER_TIMEOUT_MS}),
  })
}
