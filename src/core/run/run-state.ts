import type {
  AgentEvent,
  PlanItem,
  SessionStartEvent,
  StatusEvent,
  StatusKind,
  ToolEndEvent,
  ToolKind,
  ToolStartEvent,
  ToolUpdateEvent,
  TurnEndEvent,
} from '../events/events.ts'
import {
  countAnswer,
  countInput,
  countResult,
  initialTurnCount,
  type TurnCount,
} from './count-turns.ts'
import {changeFile, type FileTable, type TableChange} from './file-table.ts'
import {initialLedger, reduceLedger, type Ledger} from './ledger.ts'
import {addSubAgent, updateSubAgent, type SubAgent} from './sub-agents.ts'

/** The state of a run: its current activity, and totals of the past. */
export interface RunState extends TurnCount {
  agent?: string | undefined
  agentVersion?: string | undefined
  sessionId?: string | undefined
  model?: string | undefined
  cwd?: string | undefined
  permissionMode?: string | undefined
  /** `idle` between turns. */
  status: 'starting' | 'working' | 'waiting' | 'idle'
  activity: Activity
  /** Running tools, in the order of their calls. */
  openTools: readonly OpenToolState[]
  /**
   * Sub-agents in the order of their calls: all that run, and the last 500 that ended. `parentToolId` makes them a tree.
   */
  subAgents: readonly SubAgent[]
  /** Running background tasks. */
  openTasks: readonly TaskState[]
  /** Running hooks. */
  openHooks: readonly HookState[]
  /** Turns that the agent has scheduled. */
  wakeUps: readonly WakeUp[]
  /** Permission requests without an answer. */
  openRequests: readonly RequestState[]
  /** Changed files, as reported by tools or seen on disk; `listFiles` returns them as one list. */
  files: FileTable
  plan: readonly PlanItem[]
  toolCount: number
  failedToolCount: number
  deniedCount: number
  /** Tokens and cost of the run and of each model. */
  ledger: Ledger
  lastTurn?: TurnEndEvent | undefined
  unknownCount: number
  malformedCount: number
  /** The first malformed line. */
  firstMalformedLine?: number | undefined
  /** Tool calls without a result in the stream, and the first of them. */
  unfinishedToolCount: number
  firstUnfinishedTool?: string | undefined
  /** Tool results without a call in the stream. */
  orphanResultCount: number
  /** The last malformed line, if it is incomplete. */
  cutLine?: number | undefined
  /** The line of the last event. */
  lastLine: number
  /** Whether the turn was interrupted. */
  isInterrupted: boolean
  /** Whether a person types the prompts; such a session is idle between turns. */
  isInteractive: boolean
  startedAt?: number | undefined
  lastAt?: number | undefined
}

/** The current activity of the agent. */
interface Activity {
  type: 'starting' | 'text' | 'thinking' | 'tool' | 'permission' | 'idle' | StatusKind
  detail: string
  /** `start` during a state whose end the agent reports too. */
  phase?: StatusEvent['phase']
  since: number
  /** When the state ends by itself, if the agent reports it. */
  until?: number | undefined
  attempt?: number | undefined
  of?: number | undefined
  isBlocking?: boolean | undefined
}

/** A running tool. */
export interface OpenToolState {
  toolId: string
  name: string
  tool: ToolKind
  summary: string
  startedAt: number
  parentToolId?: string | undefined
}

/** A background task. */
interface TaskState {
  taskId: string
  description: string
  startedAt: number
}

/** A running hook. */
interface HookState {
  key: string | undefined
  detail: string
  startedAt: number
}

/** A turn that the agent has scheduled. */
interface WakeUp {
  key: string | undefined
  detail: string
  /** When it is due, in milliseconds since 1970. */
  until: number
}

/** A permission request. */
interface RequestState {
  requestId?: string | undefined
  toolId?: string | undefined
  name: string
  input: unknown
  askedAt: number
}

/** The state before the first event. All fields are present, so that all states have the same hidden class in V8. */
export const initialRunState: RunState = {
  agent: undefined,
  agentVersion: undefined,
  sessionId: undefined,
  model: undefined,
  cwd: undefined,
  permissionMode: undefined,
  status: 'starting',
  activity: {type: 'starting', detail: '', since: 0},
  openTools: [],
  subAgents: [],
  openTasks: [],
  openHooks: [],
  wakeUps: [],
  openRequests: [],
  files: {older: {}, recent: {}},
  plan: [],
  toolCount: 0,
  failedToolCount: 0,
  deniedCount: 0,
  ledger: initialLedger,
  ...initialTurnCount,
  lastTurn: undefined,
  unknownCount: 0,
  malformedCount: 0,
  firstMalformedLine: undefined,
  unfinishedToolCount: 0,
  firstUnfinishedTool: undefined,
  orphanResultCount: 0,
  cutLine: undefined,
  lastLine: 0,
  isInterrupted: false,
  isInteractive: false,
  startedAt: undefined,
  lastAt: undefined,
}

/**
 * Returns the state after an event. It does not modify its arguments; unchanged parts stay the same objects.
 *
 * @example
 * ```ts
 * const state = events.reduce(reduceRunState, initialRunState)
 * ```
 */
export function reduceRunState(state: RunState, event: AgentEvent): RunState {
  // The copy can be modified in place, since no caller has it yet.
  const next = {...state}
  apply(next, event)
  return next
}

function apply(state: RunState, event: AgentEvent): void {
  const {at} = event
  state.agent = event.agent
  state.startedAt ??= at
  state.lastAt = at
  state.lastLine = Math.max(state.lastLine, event.line)
  switch (event.type) {
    case 'session-start':
      return startSession(state, event)
    case 'text':
    case 'text-delta':
      countAnswer(state, event)
      return setBusy(state, 'text', '', at)
    case 'thinking':
    case 'thinking-delta':
      countAnswer(state, event)
      return setBusy(state, 'thinking', '', at)
    case 'tool-start':
      countAnswer(state, event)
      return startTool(state, event)
    case 'tool-update':
      countTools(state, event)
      return allowTool(state, event)
    case 'tool-end':
      return endTool(state, event)
    case 'file-change':
      state.files = changeFile(state.files, event, state.cwd)
      return
    case 'plan':
      state.plan = event.items
      return
    case 'task-start': {
      const {taskId, description} = event
      const task = {taskId, description, startedAt: at}
      state.openTasks = [...without(state.openTasks, 'taskId', taskId), task]
      return
    }
    case 'task-end':
      state.openTasks = without(state.openTasks, 'taskId', event.taskId)
      return
    case 'permission-request': {
      const {requestId, toolId, name, input} = event
      const request = {requestId, toolId, name, input, askedAt: at}
      state.openRequests = [...state.openRequests, request]
      state.status = 'waiting'
      state.activity = {type: 'permission', detail: name, since: at}
      return
    }
    case 'permission-denied':
      state.deniedCount++
      return
    case 'status':
      if (event.status === 'interrupted') interrupt(state)
      if (event.status === 'model-fallback') state.model = event.model ?? state.model
      if (event.status === 'interrupted' && state.isInteractive) return setIdle(state, at)
      return applyStatus(state, event)
    case 'usage':
      state.ledger = reduceLedger(state.ledger, event)
      // Some agents name their model only here.
      state.model ??= event.model
      return
    case 'turn-end':
      setIdle(state, at)
      state.ledger = reduceLedger(state.ledger, event)
      countResult(state, event)
      state.lastTurn = event
      return
    case 'unknown':
      state.unknownCount++
      return
    case 'malformed':
      state.malformedCount++
      state.firstMalformedLine ??= event.line
      state.cutLine = /^[[{]/.test(event.raw) && !event.raw.endsWith('\n') ? event.line : undefined
      return
    default:
      event satisfies never
  }
}

/** Returns the state after the answer to a permission request, which is not part of the stream. */
export function resolveRequest(state: RunState, requestId: string, at: number): RunState {
  const openRequests = without(state.openRequests, 'requestId', requestId)
  const next = {...state, openRequests}
  if (openRequests.length === 0 && state.status === 'waiting') {
    next.status = 'working'
    resume(next, at)
  }
  return next
}

function startSession(state: RunState, event: SessionStartEvent): void {
  const {sessionId, model, cwd, agentVersion, permissionMode, at} = event
  if (state.status === 'starting') state.activity = {type: 'working', detail: '', since: at}
  state.status = 'working'
  state.isInteractive ||= event.isIdle !== undefined
  if (event.isIdle === true) setIdle(state, at)
  state.isInterrupted = false
  state.sessionId = sessionId
  state.model = model ?? state.model
  state.cwd = cwd ?? state.cwd
  state.agentVersion = agentVersion ?? state.agentVersion
  state.permissionMode = permissionMode ?? state.permissionMode
}

function interrupt(state: RunState): void {
  state.isInterrupted = true
  state.surplusInputs++
}

/** Applies a status event. After the end of a turn it does not start another turn, but the agent may compact then. */
function applyStatus(state: RunState, event: StatusEvent): void {
  const {status, detail, phase, at, until, attempt, of, isBlocking} = event
  if (status === 'wake-up') return planWakeUp(state, event)
  if (status === 'hook') return trackHook(state, event)
  if (state.status !== 'idle') setBusy(state, status, detail, at)
  else if (status === 'compacting' && phase === 'start') {
    state.activity = {type: status, detail, since: at}
  } else {
    if (state.activity.type === status && phase === 'end') {
      state.activity = {type: 'idle', detail: '', since: at}
    }
    return
  }
  state.activity = {...state.activity, phase, until, attempt, of, isBlocking}
}

function planWakeUp(state: RunState, {key, detail, phase, until}: StatusEvent): void {
  const others = without(state.wakeUps, 'key', key)
  state.wakeUps =
    phase === 'end' || until === undefined ? others : [...others, {key, detail, until}]
}

function trackHook(state: RunState, {key, detail, phase, at}: StatusEvent): void {
  const others = without(state.openHooks, 'key', key)
  if (phase === 'start') {
    state.openHooks = [...others, {key, detail, startedAt: at}]
    if (state.status !== 'idle') setBusy(state, 'hook', detail, at)
    return
  }
  state.openHooks = others
  if (state.activity.type === 'hook' && others.length === 0) resume(state, at)
}

function setIdle(state: RunState, at: number): void {
  state.status = 'idle'
  state.activity = {type: 'idle', detail: '', since: at}
  state.openRequests = []
}

function setBusy(state: RunState, type: Activity['type'], detail: string, at: number): void {
  const {activity, openRequests} = state
  // Other calls and status events continue while a request is open.
  state.status = openRequests.length > 0 ? 'waiting' : 'working'
  if (activity.type !== type || activity.detail !== detail) {
    state.activity = {type, detail, since: at}
  }
}

function startTool(state: RunState, event: ToolStartEvent): void {
  const {toolId, name, tool, summary, at, parentToolId} = event
  const open = {toolId, name, tool, summary, startedAt: at, parentToolId}
  state.openTools = [...without(state.openTools, 'toolId', toolId), open]
  state.toolCount++
  if (parentToolId !== undefined) {
    state.subAgents = updateSubAgent(state.subAgents, parentToolId, ({toolCount}) => {
      return {toolCount: toolCount + 1}
    })
  }
  if (tool === 'Task') {
    const subAgent = {toolId, parentToolId, summary, startedAt: at, toolCount: 0}
    state.subAgents = addSubAgent(state.subAgents, subAgent)
  }
  setBusy(state, 'tool', describeTool(open), at)
}

/** Counts tools of a sub-agent that are not in the stream. */
function countTools(state: RunState, {toolId, toolCount: reported}: ToolUpdateEvent): void {
  if (reported === undefined) return
  state.subAgents = updateSubAgent(state.subAgents, toolId, ({toolCount}) => {
    return {toolCount: Math.max(toolCount, reported)}
  })
}

/** Closes the request of a tool that runs: it was allowed, although the answer is not in the stream. */
function allowTool(state: RunState, {toolId, at}: ToolUpdateEvent): void {
  const openRequests = without(state.openRequests, 'toolId', toolId)
  if (openRequests === state.openRequests) return
  state.openRequests = openRequests
  resume(state, at)
}

function endTool(state: RunState, event: ToolEndEvent): void {
  const {toolId, ok, at} = event
  const open = state.openTools.find((tool) => tool.toolId === toolId)
  const durationMs = event.durationMs ?? (open === undefined ? undefined : at - open.startedAt)
  state.openTools = without(state.openTools, 'toolId', toolId)
  state.openRequests = without(state.openRequests, 'toolId', toolId)
  if (open?.parentToolId === undefined) countInput(state)
  if (event.unfinished === true) {
    state.unfinishedToolCount++
    state.firstUnfinishedTool ??= open && describeTool(open)
  } else if (open === undefined) state.orphanResultCount++
  if (!ok && event.unfinished !== true) state.failedToolCount++
  if (open?.tool === 'Task') {
    state.subAgents = updateSubAgent(state.subAgents, toolId, () => ({ok, durationMs}))
  }
  resume(state, at)
}

/** Sets the activity to the last running tool, or to the model; between turns it stays idle. */
function resume(state: RunState, at: number): void {
  if (state.status === 'idle') return
  const last = state.openTools.at(-1)
  if (last === undefined) return setBusy(state, 'working', '', at)
  state.status = state.openRequests.length > 0 ? 'waiting' : 'working'
  state.activity = {type: 'tool', detail: describeTool(last), since: last.startedAt}
}

/** Describes a running tool: `Bash: npm test`. */
export function describeTool({name, summary}: OpenToolState): string {
  return summary === '' ? name : `${name}: ${summary}`
}

function without<K extends string, T extends {[name in K]?: unknown}>(
  items: readonly T[],
  name: K,
  value: unknown,
): readonly T[] {
  const index = items.findIndex((item) => item[name] === value)
  return index === -1 ? items : items.toSpliced(index, 1)
}

/** Returns the state after a file change on disk: changes by commands are not reported in the stream. */
export function changeFileOnDisk(
  state: RunState,
  fileChange: Pick<TableChange, 'path' | 'action' | 'isUncertain'>,
): RunState {
  return {...state, files: changeFile(state.files, fileChange, state.cwd)}
}
