import type {
  AgentEvent,
  FileAction,
  PlanItem,
  StatusKind,
  Tokens,
  ToolEndEvent,
  ToolKind,
  ToolStartEvent,
  TurnEndEvent,
} from './events.ts'

/** What a screen shows of a run: everything that holds now, and sums of what has passed. */
export interface RunState {
  agent?: string | undefined
  agentVersion?: string | undefined
  sessionId?: string | undefined
  model?: string | undefined
  cwd?: string | undefined
  permissionMode?: string | undefined
  /** `idle` after a turn has ended, until something new begins. */
  status: 'starting' | 'working' | 'waiting' | 'idle'
  /** What the agent does right now. */
  activity: Activity
  /** Tools that were called and are not done, in the order of their calls. */
  openTools: readonly OpenToolState[]
  /** Sub-agents, at work or done, in the order of their calls; `parentToolId` makes them a tree. */
  subAgents: readonly SubAgent[]
  /** Work in the background that is not done. */
  openTasks: readonly TaskState[]
  /** Permissions that were asked for and not settled. */
  openRequests: readonly RequestState[]
  /** The files that were changed, by path. */
  files: Readonly<Record<string, FileState>>
  plan: readonly PlanItem[]
  toolCount: number
  failedToolCount: number
  deniedCount: number
  tokens: Tokens
  /** As the agent tells it; absent while it has told nothing. */
  costUsd?: number | undefined
  /** How many turns have ended. */
  turns: number
  lastTurn?: TurnEndEvent | undefined
  unknownCount: number
  malformedCount: number
  /** Whether the stream ends in the middle of a line. */
  isCut: boolean
  /** Whether the turn was broken off from outside. */
  isInterrupted: boolean
  startedAt?: number | undefined
  lastAt?: number | undefined
}

/** What the agent does right now, and since when. */
export interface Activity {
  type: 'starting' | 'text' | 'thinking' | 'tool' | 'permission' | 'idle' | StatusKind
  detail: string
  since: number
}

/** A tool that was called and is not done. */
export interface OpenToolState {
  toolId: string
  name: string
  tool: ToolKind
  summary: string
  startedAt: number
  parentToolId?: string | undefined
}

/** A sub-agent: the call that started it, and what it has done. */
export interface SubAgent {
  toolId: string
  /** The call of the sub-agent that started it, when that was one itself. */
  parentToolId?: string | undefined
  summary: string
  startedAt: number
  /** How it went, once it is done. */
  ok?: boolean | undefined
  durationMs?: number | undefined
  toolCount: number
}

/** Work in the background. */
export interface TaskState {
  taskId: string
  description: string
  startedAt: number
}

/** A permission that was asked for. */
export interface RequestState {
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  askedAt: number
}

/** What became of a file over the run. */
export interface FileState {
  action: FileAction
  added: number
  removed: number
}

/** The state of a run of which nothing has been seen. */
export const initialRunState: RunState = {
  status: 'starting',
  activity: {type: 'starting', detail: '', since: 0},
  openTools: [],
  subAgents: [],
  openTasks: [],
  openRequests: [],
  files: {},
  plan: [],
  toolCount: 0,
  failedToolCount: 0,
  deniedCount: 0,
  tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
  turns: 0,
  unknownCount: 0,
  malformedCount: 0,
  isCut: false,
  isInterrupted: false,
}

/**
 * The state after one more event. Neither is changed; what is the same stays the same object.
 *
 * @example
 * ```ts
 * const state = events.reduce(reduceRunState, initialRunState)
 * ```
 */
export function reduceRunState(state: RunState, event: AgentEvent): RunState {
  const next: RunState = {
    ...state,
    agent: event.agent,
    startedAt: state.startedAt ?? event.at,
    lastAt: event.at,
  }
  switch (event.type) {
    case 'session-start': {
      const {sessionId, model, cwd, agentVersion, permissionMode} = event
      return {
        ...next,
        status: 'working',
        isInterrupted: false,
        sessionId,
        model: model ?? state.model,
        cwd: cwd ?? state.cwd,
        agentVersion: agentVersion ?? state.agentVersion,
        permissionMode: permissionMode ?? state.permissionMode,
      }
    }
    case 'text':
    case 'text-delta':
      return busy(next, 'text', '', event.at)
    case 'thinking':
    case 'thinking-delta':
      return busy(next, 'thinking', '', event.at)
    case 'tool-start':
      return startTool(next, event)
    case 'tool-update':
      return next
    case 'tool-end':
      return endTool(next, event)
    case 'file-change': {
      const {path, action, added = 0, removed = 0} = event
      const before = state.files[path]
      const file = {
        action: before?.action === 'created' && action === 'modified' ? 'created' : action,
        added: (before?.added ?? 0) + added,
        removed: (before?.removed ?? 0) + removed,
      } satisfies FileState
      return {...next, files: {...state.files, [path]: file}}
    }
    case 'plan':
      return {...next, plan: event.items}
    case 'task-start': {
      const {taskId, description, at} = event
      const task = {taskId, description, startedAt: at}
      return {...next, openTasks: [...without(state.openTasks, 'taskId', taskId), task]}
    }
    case 'task-end':
      return {...next, openTasks: without(state.openTasks, 'taskId', event.taskId)}
    case 'permission-request': {
      const {requestId, toolId, name, input, at} = event
      const request = {requestId, toolId, name, input, askedAt: at}
      const waiting: RunState = {...next, openRequests: [...state.openRequests, request]}
      return {
        ...waiting,
        status: 'waiting',
        activity: {type: 'permission', detail: name, since: at},
      }
    }
    case 'permission-denied':
      return {...next, deniedCount: state.deniedCount + 1}
    case 'status': {
      const isInterrupted = state.isInterrupted || event.status === 'interrupted'
      return stillBusy({...next, isInterrupted}, event.status, event.detail, event.at)
    }
    case 'usage':
      return {
        ...next,
        tokens: addTokens(state.tokens, event.tokens),
        costUsd: addCost(state, event),
      }
    case 'turn-end': {
      const activity: Activity = {type: 'idle', detail: '', since: event.at}
      const costUsd = event.costUsd ?? state.costUsd
      const turns = state.turns + 1
      return {...next, status: 'idle', activity, costUsd, turns, lastTurn: event, openRequests: []}
    }
    case 'unknown':
      return {...next, unknownCount: state.unknownCount + 1}
    case 'malformed': {
      const isCut = event.raw.startsWith('{') && !event.raw.endsWith('\n')
      return {...next, malformedCount: state.malformedCount + 1, isCut}
    }
    default:
      event satisfies never
      return next
  }
}

function busy(state: RunState, type: Activity['type'], detail: string, at: number): RunState {
  const {activity} = state
  const isSame = activity.type === type && activity.detail === detail
  return {...state, status: 'working', activity: isSame ? activity : {type, detail, since: at}}
}

/** News after the end of a turn does not make it go on. */
function stillBusy(state: RunState, type: Activity['type'], detail: string, at: number): RunState {
  return state.status === 'idle' ? state : busy(state, type, detail, at)
}

function startTool(state: RunState, event: ToolStartEvent): RunState {
  const {toolId, name, tool, summary, at, parentToolId} = event
  const open = {toolId, name, tool, summary, startedAt: at, parentToolId}
  const counted =
    parentToolId === undefined
      ? state.subAgents
      : change(state.subAgents, parentToolId, ({toolCount}) => ({toolCount: toolCount + 1}))
  const subAgents =
    tool === 'Task'
      ? [...counted, {toolId, parentToolId, summary, startedAt: at, toolCount: 0}]
      : counted
  const openTools = [...without(state.openTools, 'toolId', toolId), open]
  const detail = summary === '' ? name : `${name}: ${summary}`
  const next = {...state, openTools, subAgents, toolCount: state.toolCount + 1}
  return busy(next, 'tool', detail, at)
}

function endTool(state: RunState, event: ToolEndEvent): RunState {
  const {toolId, ok, at} = event
  const open = state.openTools.find((tool) => tool.toolId === toolId)
  const openTools = without(state.openTools, 'toolId', toolId)
  const last = openTools.at(-1)
  const durationMs = event.durationMs ?? (open === undefined ? undefined : at - open.startedAt)
  const next: RunState = {
    ...state,
    openTools,
    openRequests: without(state.openRequests, 'toolId', toolId),
    failedToolCount: state.failedToolCount + (ok || event.unfinished === true ? 0 : 1),
    subAgents:
      open?.tool === 'Task'
        ? change(state.subAgents, toolId, () => ({ok, durationMs}))
        : state.subAgents,
  }
  if (last === undefined || next.status === 'idle') return stillBusy(next, 'working', '', at)
  const detail = last.summary === '' ? last.name : `${last.name}: ${last.summary}`
  return {...next, status: 'working', activity: {type: 'tool', detail, since: last.startedAt}}
}

function change(
  subAgents: readonly SubAgent[],
  toolId: string,
  changes: (subAgent: SubAgent) => Partial<SubAgent>,
): readonly SubAgent[] {
  return subAgents.map((subAgent) =>
    subAgent.toolId === toolId ? {...subAgent, ...changes(subAgent)} : subAgent,
  )
}

function without<K extends string, T extends {[name in K]?: unknown}>(
  items: readonly T[],
  name: K,
  value: unknown,
): readonly T[] {
  const rest = items.filter((item) => item[name] !== value)
  return rest.length === items.length ? items : rest
}

function addTokens(one: Tokens, other: Tokens): Tokens {
  const sum: Tokens = {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  }
  if (one.reasoning !== undefined || other.reasoning !== undefined) {
    sum.reasoning = (one.reasoning ?? 0) + (other.reasoning ?? 0)
  }
  return sum
}

function addCost(state: RunState, {costUsd}: {costUsd?: number | undefined}): number | undefined {
  return costUsd === undefined ? state.costUsd : (state.costUsd ?? 0) + costUsd
}
