import {formatDuration, formatMoney} from '../text/figures.ts'
import type {OpenToolState, RunState} from './run-state.ts'
import type {StopCause} from './verdict.ts'
import {explainWaiting, isExcused, type ProcessSigns} from './waiting.ts'

/** How far a run may go. What is absent has no limit. */
export interface Limits {
  /** All of it. */
  timeoutMs?: number | undefined
  /** Nothing printed, and no reason for that. */
  silenceMs?: number | undefined
  /** One tool. */
  toolTimeoutMs?: number | undefined
  maxCostUsd?: number | undefined
  /** Requests to the model in the main conversation. */
  maxTurns?: number | undefined
  /** How long the process may live on after its last turn. */
  lingerMs?: number | undefined
}

/** What the clock and the ledger say. */
export interface RunClock {
  now: number
  startedAt: number
  /** When anything was printed last. */
  lastOutputAt: number
  /** What it cost so far, or is thought to have. */
  costUsd?: number | undefined
  signs?: ProcessSigns | undefined
}

/** A limit that was passed. */
export interface Breach {
  cause: Exclude<StopCause, 'user'>
  /** In words: `1h 00m of 1h 00m`. */
  reason: string
}

/** The limit that a run has passed; the gravest, when it is more than one. */
export function findBreach(state: RunState, limits: Limits, clock: RunClock): Breach | undefined {
  const {now, startedAt, lastOutputAt, costUsd, signs} = clock
  const {timeoutMs, silenceMs, toolTimeoutMs, maxCostUsd, maxTurns, lingerMs} = limits
  if (maxCostUsd !== undefined && costUsd !== undefined && costUsd > maxCostUsd) {
    return {cause: 'cost', reason: `${formatMoney(costUsd)} of ${formatMoney(maxCostUsd)}`}
  }
  const waiting = explainWaiting(state, now, lastOutputAt, signs)
  const isTimeUp = timeoutMs !== undefined && now - startedAt >= timeoutMs
  if (waiting.why === 'lingering') {
    // Its work is done: there is nothing left that could be cut short.
    const isLate = lingerMs !== undefined && now - waiting.since >= lingerMs
    return isLate || isTimeUp
      ? {cause: 'linger', reason: 'process stayed alive after its last turn'}
      : undefined
  }
  // What runs after the last turn may be a hook that hangs: it is waited for, but not for ever.
  const isFinishing = waiting.why === 'finishing' || waiting.why === 'queued-input'
  if (isFinishing && !isTimeUp) {
    const isLate = silenceMs !== undefined && now - waiting.since >= silenceMs
    return isLate
      ? {cause: 'linger', reason: 'process stayed alive after its last turn'}
      : undefined
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
    // A sub-agent that is heard of is at work, and its tools have their own time.
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

/** When a reported pause ends: an agent is not silent before that. */
function resumesAt({activity: {type, until = 0, isBlocking}}: RunState): number {
  return type === 'rate-limit' && isBlocking !== true ? 0 : until
}

/** Our word for a tool, where we have one. */
function nameTool({name, tool}: OpenToolState): string {
  return tool === 'Other' || tool === 'Mcp' ? name : tool
}
