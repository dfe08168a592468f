import type {ToolKind} from '../../../src/core/events/events.ts'
import {isMessageTool} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {WaitingKind} from '../../../src/core/run/waiting.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {formatCount, formatElapsed} from '../ui/figures.ts'
import type {IconName} from '../ui/icon.tsx'
import {countDone} from '../ui/plan-segments.tsx'
import {pulseOf} from '../ui/pulse-segments.ts'
import {describeState, endedBadly, isIdle, isRun, needsAnswer} from '../ui/state.ts'
import {activityOf, describeAspect, explainState, subjectOf, type WhyPart} from '../ui/why.ts'
import {WORK, type WorkKind} from '../ui/work.ts'

/** The current activity of a run, or how it ended, in one line. */
export interface NowLine {
  icon?: IconName | undefined
  kind: WorkKind | 'think'
  parts: readonly WhyPart[]
  /** The duration so far. */
  elapsed?: string | undefined
  isBad: boolean
}

export function describeNow(run: RunSummary, now: number): NowLine {
  const [first, second] = explainState(run, now)
  const {icon: stateIcon} = describeState(run)
  const icon = stateIcon === 'live' ? undefined : stateIcon
  if (run.state === 'over') {
    const isGood = run.verdict === 'succeeded' || !isRun(run)
    return {kind: 'note', parts: isGood ? [countWork(run)] : first, isBad: endedBadly(run)}
  }
  const {waiting} = run
  if (needsAnswer(run)) {
    const names = run.requests.map(({name}) => escapeControls(name)).join(', ')
    const parts = [names === '' ? 'Asks for permission' : `Asks to use ${names}`]
    return {icon: 'hand', kind: 'note', parts, isBad: false}
  }
  if (!isRun(run) && isIdle(run))
    return {kind: 'note', parts: [...first, `. ${second}`], isBad: false}
  if (!isRun(run) && activityOf(run) === undefined) {
    return {kind: 'note', parts: [countWork(run)], isBad: false}
  }
  if (run.isStuck && isRun(run)) {
    const code = waiting?.why === 'waiting-for-tool'
    return {kind: 'note', parts: code ? first : [...first, `. ${second}`], isBad: false}
  }
  const elapsed = waiting && formatElapsed(now - waiting.since)
  switch (waiting?.why) {
    case 'waiting-for-tool': {
      const work = WORK[toolOf(waiting.detail) ?? KINDS[pulseOf(run).at(-1) ?? ''] ?? 'Other']
      return {...work, parts: [{code: subjectOf(run)}], elapsed, isBad: false}
    }
    case 'thinking':
      return {icon: 'think', kind: 'think', parts: ['Thinking'], elapsed, isBad: false}
    case 'writing':
      return {icon: 'text', kind: 'think', parts: ['Writing'], elapsed, isBad: false}
    case 'background': {
      const parts = second === '' ? first : [...first, ': ', {code: second}]
      return {icon: 'hourglass', kind: 'note', parts, elapsed, isBad: false}
    }
    case 'api-retry':
    case 'rate-limited':
    case 'idle':
    case 'scheduled':
    case 'queued-input':
    case 'suspended':
    case 'lingering': {
      const parts = second === '' ? first : [...first, `. ${second}`]
      return {icon, kind: 'note', parts, isBad: false}
    }
    default:
      return {icon, kind: 'note', parts: first, isBad: false}
  }
}

/** The second line under the state of a run: the progress of its plan, else a detail of the state. */
export function describeUnderState(run: RunSummary, now: number): string {
  const {plan, waiting} = run
  const isAtWork = waiting === undefined || AT_WORK.has(waiting.why)
  if (
    isRun(run) &&
    run.state !== 'over' &&
    plan.length > 0 &&
    isAtWork &&
    !needsAnswer(run) &&
    !run.isStuck
  ) {
    return `plan ${countDone(plan)} of ${plan.length}`
  }
  return describeAspect(run, now)
}

const AT_WORK: ReadonlySet<string> = new Set<WaitingKind>([
  'writing',
  'thinking',
  'waiting-for-tool',
  'silent',
])

/** A successful run and an ended session show their result. */
function countWork(run: RunSummary): string {
  const {turns, toolCount, fileCount, added, removed, kind, host, isWatched} = run
  const facts = [
    turns > 0 && formatCount(turns, 'turn'),
    toolCount > 0 && formatCount(toolCount, 'tool'),
    fileCount > 0 && formatCount(fileCount, 'file') + describeLines(added, removed),
    // Without watching, an unchanged file cannot be distinguished from an unreported one.
    fileCount === 0 && isWatched === true && !isRun(run) && 'no files changed',
    kind === 'imported' &&
      (host === undefined ? 'imported' : `imported from ${escapeControls(host)}`),
  ]
  return facts.filter((fact) => fact !== false).join(' · ') || 'No tools used'
}

/** The kind of a tool by the name before its input, if it is a common tool. */
function toolOf(detail: string): ToolKind | undefined {
  const [name = ''] = detail.split(': ', 1)
  if (isMessageTool(name)) return name
  if (name === 'Task' || name === 'Agent') return 'Task'
  return name.startsWith('mcp__') ? 'Mcp' : undefined
}

/** The kind from the pulse, for a tool with an agent-specific name. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  l: 'Read',
  c: 'Edit',
  r: 'Bash',
  x: 'WebFetch',
  h: 'Task',
}

/** Not every agent reports the number of changed lines. */
function describeLines(added: number, removed: number): string {
  return added + removed === 0 ? '' : ` +${added} −${removed}`
}
