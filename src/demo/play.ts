import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {findAgent} from '../agents/find-agent.ts'
import {removeRun, listRuns} from '../recording/list-runs.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import {startLiveRun} from './live-run.ts'
import {drain, recordPastRun} from './past-run.ts'
import {makeStandIn} from './stand-in.ts'
import type {Story} from './stories.ts'

/** What a demo needs. */
export interface DemoOptions {
  dataDir: string
  /** How much faster than natural; 1 is natural. */
  speed: number
  stories: readonly Story[]
  /** Hears of every run that begins, and is asked before the next of its kind does. */
  onRun(run: AgentRun): {finish(): Promise<void>}
  /** Hears what goes wrong; the rest goes on. */
  onTrouble(error: unknown): void
}

/** A demo that plays. */
export interface Demo {
  /** Ends all that runs. */
  stop(): Promise<void>
}

/** The folder beside the recordings by which a data folder of the demo is known. */
export const DEMO_FOLDER = 'demo'

/** Puts those stories into a data folder that are over. */
export async function recordPast({
  dataDir,
  stories,
}: Pick<DemoOptions, 'dataDir' | 'stories'>): Promise<void> {
  const past = stories.filter(({minutesAgo}) => minutesAgo !== undefined)
  await Promise.all(
    past.map((story) => recordPastRun(story, {dataDir, ...placeOf(dataDir, story)})),
  )
}

/** Lanes begin one after the other, and so do the stories of each. */
const APART_MS = 2000
const PAUSE_MS = 15_000
/** The machine is not to be busy with beginnings, however fast the rest is. */
const SHORTEST_PAUSE_MS = 500
/** So many runs that are over stay. */
const MOST_RUNS = 34

/** Tells the stories that are live, lane by lane, again and again. */
export function play({dataDir, speed, stories, onRun, onTrouble}: DemoOptions): Demo {
  const ending = new AbortController()
  const running = new Set<AgentRun>()
  const lanes = [...new Set(stories.flatMap(({lane}) => lane ?? []))]
  const playing = Promise.all(lanes.map(playLane))
  return {
    async stop() {
      ending.abort()
      for (const run of running) run.stop('the demo ends')
      await playing
    },
  }

  async function playLane(lane: string, index: number): Promise<void> {
    const told = stories.filter((story) => story.lane === lane)
    await pause(index * APART_MS)
    for (let count = 0; !ending.signal.aborted; count++) {
      const story = told[count % told.length]
      if (story === undefined) return
      await playStory(story).catch(onTrouble)
      makeRoom()
      await pause(Math.max(PAUSE_MS, SHORTEST_PAUSE_MS * speed))
    }
  }

  async function playStory(story: Story): Promise<void> {
    const {cwd, argv} = placeOf(dataDir, story)
    const run = startLiveRun(story, {dataDir, cwd, args: argv.slice(1), speed})
    running.add(run)
    const report = onRun(run)
    await drain(run)
    running.delete(run)
    await report.finish()
  }

  function makeRoom(): void {
    const over = listRuns(dataDir).filter(({record}) => record.result !== undefined)
    for (const run of over.slice(MOST_RUNS)) removeRun(run)
  }

  /** Settles after a while, or when the demo ends. */
  async function pause(ms: number): Promise<void> {
    await delay(ms / speed, undefined, {signal: ending.signal}).catch(() => {})
  }
}

/** Where a story plays, and what it is started with. */
function placeOf(dataDir: string, {agent, project, prompt}: Story): {cwd: string; argv: string[]} {
  const folder = join(dataDir, DEMO_FOLDER)
  const cwd = join(folder, project)
  mkdirSync(cwd, {recursive: true})
  const program = makeStandIn(join(folder, 'bin'), agent)
  return {cwd, argv: [process.execPath, program, ...promptArgs(agent, prompt)]}
}

function promptArgs(agent: string, prompt: string): string[] {
  const option = findAgent(agent)?.promptOption
  return option === undefined ? [prompt] : [option, prompt]
}
