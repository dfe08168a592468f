import {formatDuration, formatMoney} from '../text/figures.ts'
import type {OpenToolState, RunState} from './run-state.ts'
import type {StopCause} from './verdict.ts'
import {explainWaiting, isExcused, type ProcessSigns} from './waiting.ts'

/** The limits of a run. An absent limit is not checked. */
export interface Limits {
  /** Duration of the whole run. */
  timeoutMs?: number | undefined
  /** Time without output and without a known reason. */
  silenceMs?: number | undefined
  /** Duration of one tool call. */
  toolTimeoutMs?: number | undefined
  maxCostUsd?: number | undefined
  /** Requests to the model in the main conversation. */
  maxTurns?: number | undefined
  /** Time that the process may stay alive after its last turn. */
  lingerMs?: number | undefined
}

/** Times and cost to check against the limits. */
export interface RunClock {
  now: number
  startedAt: number
  /** Time of the last output. */
  lastOutputAt: number
  /** Cost so far, reported or estimated. */
  costUsd?: number | undefined
  signs?: ProcessSigns | undefined
}

/** A limit that was exceeded. */
export interface Breach {
  cause: Exclude<StopCause, 'user'>
  /** Such as `1h 00m of 1h 00m`. */
  reason: string
}

/** Returns the limit that a run has exceeded; the most important one when there are several. */
export function findBreach(state: RunState, limits: Limits, clock: RunClock): Breach | undefined {
  const {now, startedAt, lastOutputAt, costUsd, signs} = clock
  const {timeoutMs, silenceMs, toolTimeoutMs, maxCostUsd, maxTurns, lingerMs} = limits
  if (maxCostUsd !== undefined && costUsd !== undefined && costUsd > maxCostUsd) {
    return {cause: 'cost', reason: `${formatMoney(costUsd)} of ${formatMoney(maxCostUsd)}`}
  }
  const waiting = explainWaiting(state, now, lastOutputAt, signs)
  const isTimeUp = timeoutMs !== undefined && now - startedAt >= timeoutMs
  if (waiting.why === 'lingering') {
    // The work is done: a timeout must not fail the run.
    const isLate = lingerMs !== undefined && now - waiting.since >= lingerMs
    return isLate || isTimeUp ? LINGERING : undefined
  }
  // A command after the last turn may be a hook that hangs, so that the silence limit applies to it.
  const isFinishing = waiting.why === 'finishing' || waiting.why === 'queued-input'
  if (isFinishing && !isTimeUp) {
    const isLate = silenceMs !== undefined && now - waiting.since >= silenceMs
    return isLate ? LINGERING : undefined
  }
  if (isTimeUp) {
    return {
      cause: 'timeout',
      reason: `${formatDuration(now - startedAt)} of ${formatDuration(timeoutMs)}`,
    }
  }
  if (maxTurns !== undefined && state.turns > maxTurns) {
    return {cause: 'turns', reason: `${state.turns} turns of ${maxTurns}`}
  }
  if (toolTimeoutMs !== undefined && waiting.why !== 'suspended') {
    // A sub-agent with recent output makes progress, and its tools are checked on their own.
    const late = state.openTools.filter(({tool: kind, startedAt: at}) => {
      return now - (kind === 'Task' ? Math.max(at, lastOutputAt) : at) >= toolTimeoutMs
    })
    const tool = late.find(({tool: kind}) => kind !== 'Task') ?? late[0]
    if (tool !== undefined) {
      const took = formatDuration(now - tool.startedAt)
      return {cause: 'tool', reason: `waiting for tool: ${nameTool(tool)} ${took}`}
    }
  }
  const isSuspended = waiting.why === 'suspended'
  const quietSince = isSuspended ? waiting.since : Math.max(lastOutputAt, resumesAt(state))
  const quietMs = now - Math.min(quietSince, now)
  if (silenceMs === undefined || quietMs < silenceMs || isExcused(waiting, now)) return undefined
  const word = isSuspended ? 'suspended (SIGSTOP)' : 'silent'
  return {cause: 'silence', reason: `${word} for ${formatDuration(quietMs)}`}
}

const LINGERING: Breach = {cause: 'linger', reason: 'process stayed alive after its last turn'}

/** The time at which a reported pause ends; silence counts from then on. */
function resumesAt({activity: {type, until = 0, isBlocking}}: RunState): number {
  return type === 'rate-limit' && isBlocking !== true ? 0 : until
}

/** Our name for a tool, or the name the agent uses. */
function nameTool({name, tool}: OpenToolState): string {
  return tool === 'Other' || tool === 'Mcp' ? name : tool
}
