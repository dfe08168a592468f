import {createHash} from 'node:crypto'
import {isInterruption, refusedCalls} from '../agents/claude/transcript-rows.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import {objectsAt, textAt, toText, type JsonObject} from '../core/wire/json.ts'
import type {HookRequest, LiveRun} from '../recording/run-record.ts'
import type {HookPayload} from './payload.ts'

/** The current activity of a session, and its open permission requests. */
export interface SessionLive {
  live: LiveRun | undefined
  requests: readonly HookRequest[]
}

/** The state of a session after a hook payload. */
export function applyHook(
  before: SessionLive,
  {name, fields}: HookPayload,
  at: number,
): SessionLive {
  const requests = updateRequests(before.requests, name, fields, at)
  const isAboutTool = name === 'PreToolUse'
  const detail = isAboutTool ? (textAt(fields, 'tool_name') ?? '') : ''
  return updateState(before, requests, findActivity(before, name, fields), detail, at)
}

export function applyRow(before: SessionLive, row: JsonObject, at: number): SessionLive {
  if (row['isSidechain'] === true) return before
  if (isInterruption(row)) return updateState(before, [], 'idle', '', at)
  const refused = refusedCalls(row).length
  if (refused === 0) return before
  return updateState(before, before.requests.slice(refused), 'thinking', '', at)
}

/** The state of a session after the process of a requested command was seen. */
export function applyProcess(before: SessionLive, request: HookRequest, at: number): SessionLive {
  const requests = before.requests.filter((other) => other !== request)
  return updateState(before, requests, 'waiting-for-tool', request.name, at)
}

function updateState(
  before: SessionLive,
  requests: readonly HookRequest[],
  activity: WaitingKind | undefined,
  about: string,
  at: number,
): SessionLive {
  const [request] = requests
  const why = request === undefined ? activity : 'waiting-for-permission'
  const {live} = before
  if (why === undefined) return {live: live && {...live, at}, requests}
  const detail = request?.name ?? about
  const isSame = live?.why === why && live.detail === detail
  const since = request?.askedAt ?? (isSame ? live.since : at)
  return {
    live: {at, why, detail, since, isStuck: false, costUsd: null, isEstimate: false},
    requests,
  }
}

/** The activity after a payload; `undefined` when it stays the same. */
function findActivity(
  {live}: SessionLive,
  name: string,
  fields: JsonObject,
): WaitingKind | undefined {
  if (name === 'PostCompact' && fields['trigger'] === 'auto') return 'thinking'
  // Hooks run as concurrent processes: the last text may arrive after the end of its turn.
  if (name === 'MessageDisplay' && live?.why === 'idle') return undefined
  if (name === 'PostToolUseFailure' && fields['is_interrupt'] === true) return 'idle'
  const isSubAgent = textAt(fields, 'agent_id') !== undefined
  if (isSubAgent && TURN_ENDS.has(name)) return undefined
  // Compaction does not change the activity.
  if (name === 'SessionStart' && fields['source'] === 'compact') return undefined
  return ACTIVITIES.get(name)
}

const TURN_ENDS = new Set(['Stop', 'StopFailure'])

const ACTIVITIES = new Map<string, WaitingKind>([
  ['SessionStart', 'idle'],
  ['UserPromptSubmit', 'thinking'],
  ['MessageDisplay', 'writing'],
  ['PreToolUse', 'waiting-for-tool'],
  ['PostToolUse', 'thinking'],
  ['PostToolUseFailure', 'thinking'],
  ['PostToolBatch', 'thinking'],
  ['PreCompact', 'compacting'],
  ['PostCompact', 'idle'],
  ['Stop', 'idle'],
  ['StopFailure', 'idle'],
])

function updateRequests(
  requests: readonly HookRequest[],
  name: string,
  fields: JsonObject,
  at: number,
): readonly HookRequest[] {
  switch (name) {
    case 'PermissionRequest':
      return [...requests, createRequest(fields, at)]
    case 'PostToolUse':
    case 'PermissionDenied':
      return withoutCall(requests, fields)
    case 'PostToolUseFailure':
      return fields['is_interrupt'] === true ? [] : withoutCall(requests, fields)
    case 'PostToolBatch':
      return objectsAt(fields, 'tool_calls').reduce(withoutCall, requests)
    case 'SessionStart':
      return fields['source'] === 'compact' ? requests : []
    case 'UserPromptSubmit':
      return []
    case 'Stop':
    case 'StopFailure':
      return textAt(fields, 'agent_id') === undefined ? [] : requests
    default:
      return requests
  }
}

function createRequest(fields: JsonObject, askedAt: number): HookRequest {
  const name = textAt(fields, 'tool_name') ?? ''
  const command = name === 'Bash' ? textAt(fields['tool_input'], 'command') : undefined
  return {
    name,
    input: digestOf(fields['tool_input']),
    ...(command === undefined ? {} : {command: quote(command)}),
    askedAt,
  }
}

function withoutCall(requests: readonly HookRequest[], call: JsonObject): readonly HookRequest[] {
  const input = digestOf(call['tool_input'])
  const tool = textAt(call, 'tool_name')
  const index = requests.findIndex((request) => request.name === tool && request.input === input)
  return index === -1 ? requests : requests.toSpliced(index, 1)
}

function digestOf(input: unknown): string {
  return createHash('sha256').update(toText(input)).digest('hex').slice(0, 16)
}

/** Enough to recognise it. */
const MAX_COMMAND_LENGTH = 1000

/** A command as it is in the arguments of the shell that runs it. */
function quote(command: string): string {
  return command.slice(0, MAX_COMMAND_LENGTH).replaceAll("'", `'"'"'`)
}
