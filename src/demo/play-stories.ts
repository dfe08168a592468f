import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {findAgent} from '../agents/find-agent.ts'
import {removeRun, listRuns} from '../recording/list-runs.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {run as runAgent} from '../runner/run.ts'
import {drain, recordPastRun} from './past-run.ts'
import {writeFakeProgram, type FakeProgramJob} from './fake-program.ts'
import {getStoryDir, type Story} from './stories.ts'

/** Options of the demo. */
export interface DemoOptions {
  dataDir: string
  /** Replay speed; 1 is the original speed. */
  speed: number
  stories: readonly Story[]
  /** Receives every started run; its report is finished before the next run of the lane starts. */
  onRun(run: AgentRun): {finish(): Promise<void>}
  /** Receives errors of a lane; the other lanes continue. */
  onError(error: unknown): void
}

/** A running demo. */
export interface Demo {
  /** Stops all runs. */
  stop(): Promise<void>
}

/** The directory that marks a data directory as one of the demo. */
export const DEMO_FOLDER = 'demo'

/** Records the stories that have ended. */
export async function recordPastRuns({
  dataDir,
  stories,
}: Pick<DemoOptions, 'dataDir' | 'stories'>): Promise<void> {
  const past = stories.filter(({minutesAgo}) => minutesAgo !== undefined)
  await Promise.all(
    past.map((story) => recordPastRun(story, {dataDir, ...prepareCommand(dataDir, story)})),
  )
}

/** Lanes start one after the other. */
const LANE_OFFSET_MS = 2000
const PAUSE_MS = 15_000
/** Limits how often processes are started at a high speed. */
const MIN_PAUSE_MS = 500
/** Older ended runs are removed. */
const MAX_ENDED_RUNS = 34

/** Replays the live stories of each lane in a loop. */
export function playStories({dataDir, speed, stories, onRun, onError}: DemoOptions): Demo {
  const ending = new AbortController()
  const running = new Set<AgentRun>()
  const lanes = [...new Set(stories.flatMap(({lane}) => lane ?? []))]
  const playing = Promise.all(lanes.map(playLane))
  return {
    async stop() {
      ending.abort()
      for (const run of running) run.stop('the demo was stopped')
      await playing
    },
  }

  async function playLane(lane: string, index: number): Promise<void> {
    const laneStories = stories.filter((story) => story.lane === lane)
    await pause(index * LANE_OFFSET_MS)
    for (let count = 0; !ending.signal.aborted; count++) {
      const story = laneStories[count % laneStories.length]
      if (story === undefined) return
      await playStory(story).catch(onError)
      pruneEndedRuns()
      await pause(Math.max(PAUSE_MS, MIN_PAUSE_MS * speed))
    }
  }

  async function playStory(story: Story): Promise<void> {
    const run = startLiveRun(story, dataDir, speed)
    running.add(run)
    const report = onRun(run)
    await drain(run)
    running.delete(run)
    await report.finish()
  }

  function pruneEndedRuns(): void {
    const over = listRuns(dataDir).filter(({record}) => record.result !== undefined)
    for (const run of over.slice(MAX_ENDED_RUNS)) removeRun(run)
  }

  /** Waits for this time, or until the demo is stopped. */
  async function pause(ms: number): Promise<void> {
    await delay(ms / speed, undefined, {signal: ending.signal}).catch(() => {})
  }
}

/** The demo continues without an answer after this time. */
const ANSWER_TIMEOUT_MS = 10 * 60_000

/** Starts a process that replays a story, supervised like any agent. */
function startLiveRun(story: Story, dataDir: string, speed: number): AgentRun {
  const {agent, durationMs, exitCode, signal, workOrder, limits = {}, asks} = story
  const {timeoutMs, silenceMs, ...rest} = limits
  const {
    cwd,
    argv: [command = '', ...args],
  } = prepareCommand(dataDir, story)
  const folder = getStoryDir(story)
  const job: FakeProgramJob = {folder, speed, durationMs, exitCode, signal, asks}
  return runAgent({
    command,
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

/** Returns the working directory and the command of a story. */
function prepareCommand(
  dataDir: string,
  {agent, project, prompt}: Story,
): {cwd: string; argv: string[]} {
  const folder = join(dataDir, DEMO_FOLDER)
  const cwd = join(folder, project)
  mkdirSync(cwd, {recursive: true})
  const program = writeFakeProgram(join(folder, 'bin'), agent)
  return {cwd, argv: [process.execPath, program, ...promptArgs(agent, prompt)]}
}

/** Some agents take the prompt after `-p`. */
function promptArgs(agent: string, prompt: string): string[] {
  const option = findAgent(agent)?.promptOption
  return option === undefined ? [prompt] : [option, prompt]
}
