import type {RunState} from './run-state.ts'

/** How a run ended, in a word. */
export type VerdictKind = 'succeeded' | 'failed' | 'stopped' | 'truncated'

/** How a run ended, and why that is said. */
export interface Verdict {
  verdict: VerdictKind
  reason: string
}

/**
 * How a run ended, as far as its stream alone can tell. A turn that ended well is not enough: work in the
 * background may be cut off, and so may the last line.
 */
export function judgeStream(state: RunState): Verdict {
  const {lastTurn, openTasks, status} = state
  if (state.cutLine === state.lastLine)
    return {verdict: 'truncated', reason: 'the last line is cut off'}
  const isOver = lastTurn !== undefined && status === 'idle'
  if (state.isInterrupted && !(isOver && lastTurn.ok)) {
    return {verdict: 'stopped', reason: 'interrupted'}
  }
  if (lastTurn === undefined) return {verdict: 'truncated', reason: 'no turn end'}
  if (!isOver) return {verdict: 'truncated', reason: 'stops in the middle of a turn'}
  if (!lastTurn.ok) return {verdict: 'failed', reason: lastTurn.errors?.[0] ?? 'the turn failed'}
  const [task] = openTasks
  if (task !== undefined) {
    return {verdict: 'truncated', reason: `still in the background: ${task.description}`}
  }
  return {verdict: 'succeeded', reason: 'the last turn ended well'}
}
