import {textAt, type WaitingKind} from '../core/index.ts'
import type {HookPayload} from './hook-payload.ts'
import type {LiveRun} from '../recording/index.ts'

/** What a session does after a payload, for those who list runs; as before, when that tells nothing of it. */
export function describeLive(
  {name, fields}: HookPayload,
  before: LiveRun | undefined,
  at: number,
): LiveRun | undefined {
  const goesOn = name === 'PostCompact' && fields['trigger'] === 'auto'
  // Each payload comes through a process of its own: last words may be later than the end of their turn.
  const isLate = name === 'MessageDisplay' && before?.why === 'lingering'
  const why = goesOn ? 'thinking' : isLate ? undefined : ACTIVITIES.get(name)
  if (why === undefined) return before === undefined ? undefined : {...before, at}
  const isAboutTool = why === 'waiting-for-tool' || why === 'waiting-for-permission'
  const detail = isAboutTool ? (textAt(fields, 'tool_name') ?? '') : ''
  const isSame = before?.why === why && before.detail === detail
  const since = isSame ? before.since : at
  return {at, why, detail, since, isStuck: false, costUsd: null, isEstimate: false}
}

const ACTIVITIES = new Map<string, WaitingKind>([
  ['SessionStart', 'lingering'],
  ['UserPromptSubmit', 'thinking'],
  ['MessageDisplay', 'writing'],
  ['PreToolUse', 'waiting-for-tool'],
  ['PermissionRequest', 'waiting-for-permission'],
  ['PostToolUse', 'thinking'],
  ['PostToolUseFailure', 'thinking'],
  ['PostToolBatch', 'thinking'],
  ['PreCompact', 'compacting'],
  ['PostCompact', 'lingering'],
  ['Stop', 'lingering'],
  ['StopFailure', 'lingering'],
])
