import type {
  AgentEvent,
  FileAction,
  FileChangeEvent,
  PlanItem,
  StatusEvent,
  StatusKind,
  TextEvent,
  ToolEndEvent,
  ToolKind,
  ToolStartEvent,
  TurnEndEvent,
} from './events.ts'
import {initialLedger, reduceLedger, type Ledger} from './ledger.ts'

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
  /**
   * Sub-agents, in the order of their calls: those at work, and the last 500 of those that are done. `parentToolId`
   * makes them a tree.
   */
  subAgents: readonly SubAgent[]
  /** Work in the background that is not done. */
  openTasks: readonly TaskState[]
  /** Permissions that were asked for and not settled. */
  openRequests: readonly RequestState[]
  /** The files that were changed; {@link listFiles} makes one list of them. */
  files: FileTable
  plan: readonly PlanItem[]
  toolCount: number
  failedToolCount: number
  deniedCount: number
  /** Tokens and cost, of the run and of each model. */
  ledger: Ledger
  /** How many turns have ended. */
  turns: number
  /** How often the model was asked, as far as can be seen: each time it spoke after it was told something. */
  rounds: number
  /** Whether something was told to the model since it spoke. */
  wasTold: boolean
  lastTurn?: TurnEndEvent | undefined
  unknownCount: number
  malformedCount: number
  /** The line that is cut off in the middle, if one is: only of the last one that can be said. */
  cutLine?: number | undefined
  /** The line of the last event. */
  lastLine: number
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
  /** When it will be over by itself, where that is told. */
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
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

/** Files by path, in two parts: the small one is copied with each change, the other now and then. */
export interface FileTable {
  older: Readonly<Record<string, FileState>>
  recent: Readonly<Record<string, FileState>>
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
  files: {older: {}, recent: {}},
  plan: [],
  toolCount: 0,
  failedToolCount: 0,
  deniedCount: 0,
  ledger: initialLedger,
  turns: 0,
  rounds: 0,
  wasTold: true,
  unknownCount: 0,
  malformedCount: 0,
  lastLine: 0,
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
    lastLine: Math.max(state.lastLine, event.line),
  }
  switch (event.type) {
    case 'session-start': {
      const {sessionId, model, cwd, agentVersion, permissionMode} = event
      return {
        ...next,
        status: 'working',
        activity:
          state.status === 'starting'
            ? {type: 'working', detail: '', since: event.at}
            : state.activity,
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
      return busy(speak(next, event), 'text', '', event.at)
    case 'thinking':
    case 'thinking-delta':
      return busy(speak(next, event), 'thinking', '', event.at)
    case 'tool-start':
      return startTool(speak(next, event), event)
    case 'tool-update':
      return next
    case 'tool-end':
      return endTool(next, event)
    case 'file-change':
      return {...next, files: changeFile(state.files, event)}
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
      return hearStatus({...next, isInterrupted}, event)
    }
    case 'usage':
      return {...next, ledger: reduceLedger(state.ledger, event)}
    case 'turn-end': {
      const activity: Activity = {type: 'idle', detail: '', since: event.at}
      const ledger = reduceLedger(state.ledger, event)
      const turns = state.turns + 1
      return {
        ...next,
        status: 'idle',
        activity,
        ledger,
        turns,
        wasTold: true,
        lastTurn: event,
        openRequests: [],
      }
    }
    case 'unknown':
      return {...next, unknownCount: state.unknownCount + 1}
    case 'malformed': {
      const isCut = /^[[{]/.test(event.raw) && !event.raw.endsWith('\n')
      const cutLine = isCut ? event.line : undefined
      return {...next, malformedCount: state.malformedCount + 1, cutLine}
    }
    default:
      event satisfies never
      return next
  }
}

/** The state after somebody has answered a request, which the stream does not tell. */
export function settleRequest(state: RunState, requestId: string, at: number): RunState {
  const openRequests = without(state.openRequests, 'requestId', requestId)
  if (openRequests.length > 0 || state.status !== 'waiting') return {...state, openRequests}
  return resume({...state, openRequests, status: 'working'}, at)
}

/** What sub-agents say are rounds of their own. */
function speak(state: RunState, {parentToolId}: TextEvent | ToolStartEvent): RunState {
  if (!state.wasTold || parentToolId !== undefined) return state
  return {...state, wasTold: false, rounds: state.rounds + 1}
}

function hearStatus(state: RunState, event: StatusEvent): RunState {
  const {status, detail, at, until, attempt, of} = event
  const next = stillBusy(state, status, detail, at)
  if (next.status === 'idle') return next
  return {...next, activity: {...next.activity, until, attempt, of}}
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
      ? [...dropOldest(counted), {toolId, parentToolId, summary, startedAt: at, toolCount: 0}]
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
  const durationMs = event.durationMs ?? (open === undefined ? undefined : at - open.startedAt)
  const next: RunState = {
    ...state,
    openTools,
    wasTold: state.wasTold || open?.parentToolId === undefined,
    openRequests: without(state.openRequests, 'toolId', toolId),
    failedToolCount: state.failedToolCount + (ok || event.unfinished === true ? 0 : 1),
    subAgents:
      open?.tool === 'Task'
        ? change(state.subAgents, toolId, () => ({ok, durationMs}))
        : state.subAgents,
  }
  return resume(next, at)
}

/** The tool that was called last goes on, or the model does. */
function resume(state: RunState, at: number): RunState {
  const last = state.openTools.at(-1)
  if (last === undefined || state.status === 'idle') return stillBusy(state, 'working', '', at)
  const detail = last.summary === '' ? last.name : `${last.name}: ${last.summary}`
  return {...state, status: 'working', activity: {type: 'tool', detail, since: last.startedAt}}
}

/** No screen shows more of them, and a long run must not grow for having had them. */
const MOST_SUB_AGENTS = 500

function dropOldest(subAgents: readonly SubAgent[]): readonly SubAgent[] {
  if (subAgents.length < MOST_SUB_AGENTS) return subAgents
  const index = subAgents.findIndex(({ok}) => ok !== undefined)
  return index === -1 ? subAgents : subAgents.toSpliced(index, 1)
}

function change(
  subAgents: readonly SubAgent[],
  toolId: string,
  changes: (subAgent: SubAgent) => Partial<SubAgent>,
): readonly SubAgent[] {
  const index = subAgents.findLastIndex((subAgent) => subAgent.toolId === toolId)
  const subAgent = subAgents[index]
  return subAgent === undefined
    ? subAgents
    : subAgents.with(index, {...subAgent, ...changes(subAgent)})
}

function without<K extends string, T extends {[name in K]?: unknown}>(
  items: readonly T[],
  name: K,
  value: unknown,
): readonly T[] {
  const index = items.findIndex((item) => item[name] === value)
  return index === -1 ? items : items.toSpliced(index, 1)
}

/** So many files make the small part of the table large. */
const MOST_RECENT = 256

function changeFile({older, recent}: FileTable, event: FileChangeEvent): FileTable {
  const {path, action, added = 0, removed = 0} = event
  const before = ownValue(recent, path) ?? ownValue(older, path)
  const file: FileState = {
    action: before?.action === 'created' && action === 'modified' ? 'created' : action,
    added: (before?.added ?? 0) + added,
    removed: (before?.removed ?? 0) + removed,
  }
  const changed = {...recent, [path]: file}
  if (Object.keys(changed).length <= MOST_RECENT) return {older, recent: changed}
  return {older: {...older, ...changed}, recent: {}}
}

/** Everything that became of files over a run, by path, in the order of their first change. */
export function listFiles({files: {older, recent}}: RunState): Record<string, FileState> {
  return {...older, ...recent}
}

function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
