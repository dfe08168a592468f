import type {ToolKind} from '../events/events.ts'
import {hasFiles} from './file-table.ts'
import type {RunState} from './run-state.ts'

/** The estimated progress of a run. */
export interface Progress {
  /** An integer from 0 to 100. */
  percentage: number
  /** The current activity of the agent, such as `Running tests`. */
  phase: string
  /** Absent when there is nothing to measure progress by. */
  remainingMs?: number | undefined
}

/** Facts to measure progress by, besides the plan of the run. */
export interface ProgressGround {
  /** Requests to the model in the main conversation. */
  maxTurns?: number | undefined
  /** Durations of earlier runs of the same work. */
  earlierMs?: readonly number[] | undefined
}

/** Measures the progress of one run. */
export interface ProgressMeter {
  /** The current progress. It never decreases and never reaches 100. */
  read(state: RunState, elapsedMs: number): Progress
  /** The progress of an ended run. */
  finish(): Progress
}

/** Creates the meter of one run. */
export function createProgressMeter(ground: ProgressGround = {}): ProgressMeter {
  let highest = 0
  return {
    read(state, elapsedMs) {
      // The best measure comes first.
      const measured =
        measurePlan(state) ?? measureTime(ground, elapsedMs) ?? measureTurns(ground, state)
      const share = measured ?? guess(state, elapsedMs)
      highest = Math.max(highest, Math.min(MAX_PERCENTAGE, Math.floor(share * 100)))
      const isMeasured = measured !== undefined && measured > 0 && measured <= 1
      const remainingMs = isMeasured ? (elapsedMs * (1 - measured)) / measured : undefined
      return {percentage: highest, phase: namePhase(state), remainingMs}
    },
    finish: () => ({percentage: 100, phase: 'Finished', remainingMs: 0}),
  }
}

/** Maximum percentage before the run has ended. */
const MAX_PERCENTAGE = 99

/** Estimates the share by tool calls and time, compared with a typical task of the same kind. It approaches 90 %. */
function guess(state: RunState, elapsedMs: number): number {
  const {toolCalls, durationMs} = TYPICAL_TASKS[taskKindOf(state)]
  return 0.9 * (1 - Math.exp(-(state.toolCount / toolCalls + elapsedMs / durationMs)))
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

function measurePlan({plan}: RunState): number | undefined {
  if (plan.length === 0) return undefined
  const done = plan.filter(({status}) => status === 'completed' || status === 'cancelled').length
  return done / plan.length
}

/** After the usual duration the measure is not meaningful any more. */
function measureTime({earlierMs = []}: ProgressGround, elapsedMs: number): number | undefined {
  const usual = earlierMs.toSorted((one, other) => one - other)[Math.floor(earlierMs.length / 2)]
  return usual === undefined || usual <= elapsedMs ? undefined : elapsedMs / usual
}

function measureTurns({maxTurns}: ProgressGround, {turns}: RunState): number | undefined {
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

/** Prefixes of a command: variables, and programs that run other programs. */
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
