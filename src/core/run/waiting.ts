import {describeTool, type RunState} from './run-state.ts'

/** Everything that a running agent can do or wait for. */
export const WAITING_KINDS = [
  'starting',
  'writing',
  'thinking',
  'waiting-for-tool',
  'waiting-for-permission',
  'api-retry',
  'rate-limited',
  'compacting',
  /** A hook of the agent runs. */
  'hook',
  /** The turn ended, and a background task still runs. */
  'background',
  /** The agent starts its next turn by itself at a known time. */
  'scheduled',
  /** Messages on stdin have no answer yet. */
  'queued-input',
  /** After the last turn the agent started a command, such as a hook for the end of the session. */
  'finishing',
  /** No output, and no known reason for that. */
  'silent',
  /** An interactive session waits for a prompt. */
  'idle',
  /** The process is stopped by SIGSTOP or a similar signal. */
  'suspended',
  /** The process is alive after its last turn, and nothing is left to do. */
  'lingering',
] as const

/** The kind of work or wait of a running agent. */
export type WaitingKind = (typeof WAITING_KINDS)[number]

/** The current work or wait of a run. A run without output is not stuck when it has a reason to wait. */
export interface Waiting {
  why: WaitingKind
  /** The tool and its input, the error before a retry, or a similar detail. */
  detail: string
  /** Start of the state, in milliseconds since 1970. */
  since: number
  /** When the state ends by itself, if that is known. */
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
}

/** Facts about a run that its stream does not contain. */
export interface ProcessSigns {
  /** When the process was suspended. */
  suspendedAt?: number | undefined
  /** A running command that the agent started after its last turn. */
  command?: string | undefined
  /** When such a command was last seen; the agent needs a moment to exit after it. */
  commandSeenAt?: number | undefined
  /** Number of messages written to stdin, if they are counted. */
  messageCount?: number | undefined
}

/** Idle time without a known reason after which a run counts as silent. */
const SILENT_AFTER_MS = 60_000

/**
 * Explains what a run does or waits for.
 *
 * @param lastOutputAt - Time of the last output, by the same clock as `now`.
 */
export function explainWaiting(
  state: RunState,
  now: number,
  lastOutputAt: number,
  signs: ProcessSigns = {},
): Waiting {
  const {activity, openRequests, openHooks, openTools} = state
  if (signs.suspendedAt !== undefined) {
    return {why: 'suspended', detail: '', since: signs.suspendedAt}
  }
  const request = openRequests[0]
  if (request !== undefined) {
    return {why: 'waiting-for-permission', detail: request.name, since: request.askedAt}
  }
  const pause = explainPause(state, now)
  if (pause !== undefined) return pause
  const hook = openHooks[0]
  // A hook that runs in parallel to the turn is not the reason to wait.
  if (hook !== undefined && (state.status === 'idle' || activity.type === 'hook')) {
    return {why: 'hook', detail: hook.detail, since: hook.startedAt}
  }
  if (state.status === 'idle') return explainIdle(state, now, lastOutputAt, signs)
  const tool = openTools.find(({tool: kind}) => kind !== 'Task') ?? openTools[0]
  if (tool !== undefined) {
    return {why: 'waiting-for-tool', detail: describeTool(tool), since: tool.startedAt}
  }
  const isQuiet = now - lastOutputAt >= SILENT_AFTER_MS && activity.type !== 'thinking'
  if (isQuiet) return {why: 'silent', detail: '', since: lastOutputAt}
  if (state.status === 'starting') return {why: 'starting', detail: '', since: activity.since}
  if (activity.type === 'text') return {why: 'writing', detail: '', since: activity.since}
  return {why: 'thinking', detail: '', since: activity.since}
}

/** Explains why the process is alive after a turn; without a reason it lingers. */
function explainIdle(
  {activity, openTasks, wakeUps, results, isInteractive}: RunState,
  now: number,
  lastOutputAt: number,
  {command, commandSeenAt = 0, messageCount = 0}: ProcessSigns,
): Waiting {
  const since = Math.max(activity.since, lastOutputAt)
  const task = openTasks[0]
  if (task !== undefined) {
    return {why: 'background', detail: task.description, since: task.startedAt}
  }
  const [next] = wakeUps
    .filter(({until}) => until > now)
    .toSorted((one, other) => one.until - other.until)
  if (next !== undefined) return {why: 'scheduled', detail: next.detail, since, until: next.until}
  if (isInteractive) return {why: 'idle', detail: '', since: activity.since}
  if (command !== undefined) return {why: 'finishing', detail: command, since}
  if (messageCount > results) {
    return {why: 'queued-input', detail: `${results} of ${messageCount} messages answered`, since}
  }
  // A wake-up that did not happen when it was due is no reason to wait.
  const due = wakeUps.map(({until}) => until)
  return {why: 'lingering', detail: '', since: Math.max(since, commandSeenAt, ...due)}
}

/** Explains a wait that the agent itself reports. */
function explainPause({activity, status}: RunState, now: number): Waiting | undefined {
  const {type, detail, phase, since, until, attempt, of, isBlocking = false} = activity
  if (type === 'compacting' && phase === 'start') return {why: 'compacting', detail: '', since}
  if (status === 'idle') return undefined
  if (type === 'api-retry') return {why: 'api-retry', detail, since, until, attempt, of}
  return type === 'rate-limit' && isBlocking && until !== undefined && until > now
    ? {why: 'rate-limited', detail, since, until}
    : undefined
}

/** Whether silence has a reason that the agent cannot end itself. */
export function isExcused(waiting: Waiting, now: number): boolean {
  switch (waiting.why) {
    case 'waiting-for-tool':
    case 'waiting-for-permission':
    case 'hook':
    case 'background':
    case 'idle':
    case 'scheduled':
      return true
    case 'api-retry':
    case 'rate-limited':
      return (waiting.until ?? 0) > now
    default:
      return false
  }
}
