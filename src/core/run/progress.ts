import type {ToolKind} from '../events/events.ts'
import {hasFiles} from './file-table.ts'
import type {RunState} from './run-state.ts'

/** How far a run is, as far as there is ground to say it. */
export interface Progress {
  /** From 0 to 100, whole. */
  percentage: number
  /** What the agent is doing, in words. */
  phase: string
  /** Only where there is something to measure by. */
  remainingMs?: number | undefined
}

/** What a run can be measured by, besides its own plan. */
export interface ProgressGround {
  /** Requests to the model in the main conversation. */
  maxTurns?: number | undefined
  /** How long earlier runs of the same work took. */
  earlierMs?: readonly number[] | undefined
}

/** Follows how far a run is. */
export interface ProgressMeter {
  /** How far it is now. Never less than before, and never 100. */
  read(state: RunState, elapsedMs: number): Progress
  /** How far it is once it is over. */
  finish(): Progress
}

/** Makes a meter for one run. */
export function createProgressMeter(ground: ProgressGround = {}): ProgressMeter {
  let highest = 0
  return {
    read(state, elapsedMs) {
      const measured = HEURISTICS.measures
        .map((measure) => measure(state, elapsedMs, ground))
        .find((share) => share !== undefined)
      const share = measured ?? HEURISTICS.guess(state, elapsedMs)
      highest = Math.max(highest, Math.min(HEURISTICS.most, Math.floor(share * 100)))
      const isMeasured = measured !== undefined && measured > 0 && measured <= 1
      const remainingMs = isMeasured ? (elapsedMs * (1 - measured)) / measured : undefined
      return {percentage: highest, phase: namePhase(state), remainingMs}
    },
    finish: () => ({percentage: 100, phase: 'Finished', remainingMs: 0}),
  }
}

/** All that is assumed of runs, from 0 (begun) to 1 (done). */
const HEURISTICS = {
  /** What there is ground for, the best first: its plan, how long it took before, how often the model may be asked. */
  measures: [readPlan, readEarlier, readTurns],
  /** Without ground: by tool calls and time, compared with a typical task of its kind. It approaches 90 %. */
  guess(state: RunState, elapsedMs: number): number {
    const {toolCalls, durationMs} = TYPICAL_TASKS[taskKindOf(state)]
    return 0.9 * (1 - Math.exp(-(state.toolCount / toolCalls + elapsedMs / durationMs)))
  },
  /** The most that is said of a run that is not over. */
  most: 99,
}

type TaskKind = 'answer' | 'research' | 'change'

/** Assumptions, not measurements: answering a question is short, changing code takes longest. */
const TYPICAL_TASKS: Readonly<Record<TaskKind, {toolCalls: number; durationMs: number}>> = {
  answer: {toolCalls: 20, durationMs: 2 * 60_000},
  research: {toolCalls: 20, durationMs: 5 * 60_000},
  change: {toolCalls: 40, durationMs: 15 * 60_000},
}

function taskKindOf({toolCount, files}: RunState): TaskKind {
  if (hasFiles(files)) return 'change'
  return toolCount > 0 ? 'research' : 'answer'
}

function readPlan({plan}: RunState): number | undefined {
  if (plan.length === 0) return undefined
  const done = plan.filter(({status}) => status === 'completed' || status === 'cancelled').length
  return done / plan.length
}

/** Past the time that it took before there is no telling. */
function readEarlier(
  _state: RunState,
  elapsedMs: number,
  {earlierMs = []}: ProgressGround,
): number | undefined {
  const usual = earlierMs.toSorted((one, other) => one - other)[Math.floor(earlierMs.length / 2)]
  return usual === undefined || usual <= elapsedMs ? undefined : elapsedMs / usual
}

function readTurns(
  {turns}: RunState,
  _elapsedMs: number,
  {maxTurns}: ProgressGround,
): number | undefined {
  return maxTurns === undefined || maxTurns <= 0 ? undefined : Math.min(1, turns / maxTurns)
}

const TOOL_PHASES: Readonly<Record<ToolKind, string>> = {
  Read: 'Reading files',
  Write: 'Writing code',
  Edit: 'Writing code',
  Bash: 'Running commands',
  Grep: 'Searching',
  Glob: 'Searching',
  WebFetch: 'Reading the web',
  WebSearch: 'Searching the web',
  Task: 'Delegating',
  Todo: 'Planning',
  Mcp: 'Using a tool',
  Other: 'Using a tool',
}

const PHASES: Readonly<Record<string, string>> = {
  starting: 'Starting',
  thinking: 'Thinking',
  permission: 'Waiting for permission',
  compacting: 'Compacting',
  'api-retry': 'Waiting for the model',
  'rate-limit': 'Waiting for the model',
}

/** What may stand before a command: variables, and programs that run others. */
const LEAD =
  /^\s*(?:\w+=\S*\s+)*(?:(?:npx|bunx|uv run|poetry run|bundle exec|python3? -m)\s+)?(?:\.\/)?/
const TEST_RUNNER = /^(?:pytest|vitest|jest|mocha|rspec|ctest|tox|phpunit|unittest|nextest)\b/
const TEST_TARGET =
  /^(?:npm|pnpm|yarn|bun|deno|go|cargo|make|mvn|gradlew?|dotnet|swift|mix|rake|just) (?:run )?(?:tests?|nextest)\b/

/** Whether one of the commands in a line runs tests. */
function runsTests(summary: string): boolean {
  return summary
    .split(/[;&|]+/)
    .map((command) => command.replace(LEAD, ''))
    .some((command) => TEST_RUNNER.test(command) || TEST_TARGET.test(command))
}

function namePhase({openTools, activity}: RunState): string {
  const tool = openTools.at(-1)
  if (activity.type === 'rate-limit' && activity.isBlocking !== true) return 'Working'
  if (tool === undefined || activity.type !== 'tool') return PHASES[activity.type] ?? 'Working'
  if (tool.tool === 'Bash' && runsTests(tool.summary)) return 'Running tests'
  return TOOL_PHASES[tool.tool]
}
