import type {ToolKind} from './events.ts'
import type {RunState} from './run-state.ts'

/** How far a run is, as far as there is ground to say it. */
export interface Progress {
  /** From 0 to 100, whole. */
  percentage: number
  /** What the agent is doing, in words. */
  phase: string
  /** Only where there is a plan to measure by. */
  remainingMs?: number | undefined
}

/** Follows how far a run is. */
export interface ProgressMeter {
  /** How far it is now. Never less than before, and never 100. */
  read(state: RunState, elapsedMs: number): Progress
  /** How far it is once it is over. */
  finish(): Progress
}

/** Makes a meter for one run. */
export function createProgressMeter(): ProgressMeter {
  let highest = 0
  return {
    read(state, elapsedMs) {
      const planned = readPlanShare(state)
      const share = planned ?? guessShare(state)
      highest = Math.max(highest, Math.min(99, Math.floor(share * 100)))
      const isMeasured = planned !== undefined && planned > 0
      const remainingMs = isMeasured ? (elapsedMs * (1 - planned)) / planned : undefined
      return {percentage: highest, phase: nameOf(state), remainingMs}
    },
    finish: () => ({percentage: 100, phase: 'Finished', remainingMs: 0}),
  }
}

function readPlanShare({plan}: RunState): number | undefined {
  if (plan.length === 0) return undefined
  const done = plan.filter(({status}) => status === 'completed' || status === 'cancelled').length
  return done / plan.length
}

/** Most runs take some twenty tool calls, and no run is nearly over for having made many. */
function guessShare({toolCount}: RunState): number {
  return 0.9 * (1 - Math.exp(-toolCount / 20))
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

function nameOf({openTools, activity}: RunState): string {
  const tool = openTools.at(-1)
  if (tool !== undefined && activity.type === 'tool') return TOOL_PHASES[tool.tool]
  return PHASES[activity.type] ?? 'Working'
}
