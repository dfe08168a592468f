import type {RunState} from './run-state.ts'

/** What a run waits for or does, in a word. */
export type WaitingKind =
  | 'starting'
  | 'writing'
  | 'thinking'
  | 'waiting-for-tool'
  | 'waiting-for-permission'
  | 'api-retry'
  | 'rate-limited'
  | 'compacting'
  | 'background'
  | 'silent'
  | 'idle'
  | 'lingering'

/** Why nothing comes from a run right now. No output is not stuck: mostly there is a reason. */
export interface Waiting {
  why: WaitingKind
  /** What it is about: the tool and its input, the error that is tried again. */
  detail: string
  /** Since when, in milliseconds since 1970. */
  since: number
  /** When it will be over by itself, where that is known. */
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
}

/** Who says nothing for so long and gave no reason is silent. */
const QUIET_MS = 60_000

/**
 * What a run does or waits for.
 *
 * @param lastOutputAt - When it printed anything last, by the clock that `now` is read from.
 */
export function explainWaiting(state: RunState, now: number, lastOutputAt: number): Waiting {
  const {activity, openRequests, openTools, openTasks} = state
  const request = openRequests[0]
  if (request !== undefined) {
    return {why: 'waiting-for-permission', detail: request.name, since: request.askedAt}
  }
  if (state.status === 'idle') {
    const task = openTasks[0]
    // Work in the background and last words are no lingering.
    const since = Math.max(activity.since, lastOutputAt)
    if (task === undefined && state.isInteractive) {
      return {why: 'idle', detail: '', since: activity.since}
    }
    if (task === undefined) return {why: 'lingering', detail: '', since}
    return {why: 'background', detail: task.description, since: task.startedAt}
  }
  const pause = explainPause(state, now)
  if (pause !== undefined) return pause
  const tool = openTools.find(({tool: kind}) => kind !== 'Task') ?? openTools[0]
  if (tool !== undefined) {
    const {name, summary, startedAt: since} = tool
    const detail = summary === '' ? name : `${name}: ${summary}`
    return {why: 'waiting-for-tool', detail, since}
  }
  const isQuiet = now - lastOutputAt >= QUIET_MS && activity.type !== 'thinking'
  if (isQuiet) return {why: 'silent', detail: '', since: lastOutputAt}
  if (state.status === 'starting') return {why: 'starting', detail: '', since: activity.since}
  if (activity.type === 'text') return {why: 'writing', detail: '', since: activity.since}
  return {why: 'thinking', detail: '', since: activity.since}
}

/** What the agent says that it waits for itself. */
function explainPause({activity}: RunState, now: number): Waiting | undefined {
  const {type, detail, since, until, attempt, of} = activity
  if (type === 'api-retry') return {why: 'api-retry', detail, since, until, attempt, of}
  if (type === 'compacting' && detail === 'compacting')
    return {why: 'compacting', detail: '', since}
  const isLimited = type === 'rate-limit' && until !== undefined && until > now
  // How much of an allowance is used is news, not a reason to wait.
  return isLimited && !detail.includes('% used')
    ? {why: 'rate-limited', detail, since, until}
    : undefined
}

/** Whether there is a reason for silence that somebody else has to end. */
export function isExcused(waiting: Waiting, now: number): boolean {
  switch (waiting.why) {
    case 'waiting-for-tool':
    case 'waiting-for-permission':
    case 'background':
    case 'idle':
      return true
    case 'api-retry':
    case 'rate-limited':
      return (waiting.until ?? 0) > now
    default:
      return false
  }
}
