import type {AgentEvent} from '../../../src/core/events/events.ts'
import {pickEnding} from '../../../src/core/run/run-summary.ts'
import {NOTICE_WORDS} from '../../../src/core/words/status-words.ts'
import type {EndItem, StartItem} from '../../../src/replay/run-item.ts'
import {
  isError,
  nothingDone,
  type Entry,
  type EntryId,
  type NoticeEntry,
  type RequestEntry,
  type TextEntry,
  type TaskEntry,
  type ToolEntry,
} from './entry.ts'
import {toDenialNotice, toStatusNotice} from './notices.ts'
import {createOpenRequests} from './open-requests.ts'
import {createOpenWait} from './open-wait.ts'
import {countEntry, type FilterCounts} from './rows.ts'
import {createTimelineBuilder, type GrowingTimeline} from './timeline-builder.ts'

/** The entries of a run. The lists only grow, in place. */
export interface FeedLists {
  /** All entries in order, including those of sub-agents. */
  entries: readonly Entry[]
  /** The entries of the agent itself. */
  top: readonly Entry[]
  timeline: GrowingTimeline
  /** Calls that changed files, in order. */
  fileCalls: readonly ToolEntry[]
  findEntry(id: EntryId): Entry | undefined
  /** The entry of a tool call: the last one, when an id was used again. */
  findTool(toolId: string): ToolEntry | undefined
}

/** An event as it was sent: long texts may be cut. */
export type SeenEvent = AgentEvent & Cut

interface Cut {
  isCut?: true | undefined
  length?: number | undefined
}

type Seen<T extends AgentEvent['type']> = Extract<SeenEvent, {type: T}>

/** How many characters of streamed text are kept; all of it is in its records. */
const MAX_TEXT_LENGTH = 4000
/** How many characters of the output of a running tool are kept. */
const MAX_TAIL_LENGTH = 4000
/** How many lines of an unknown agent form one entry. */
const MAX_PRINTED_LINES = 40

/** Events that start a turn; all others may follow the end of one. */
const BEGINNINGS: ReadonlySet<AgentEvent['type']> = new Set([
  'session-start',
  'text',
  'text-delta',
  'thinking',
  'thinking-delta',
  'tool-start',
])

/** Builds the entries of a feed from events, and places them on a timeline. */
export function createFeedBuilder() {
  const entries: Entry[] = []
  const byId = new Map<EntryId, Entry>()
  const top: Entry[] = []
  const timeline = createTimelineBuilder()
  const tools = new Map<string, ToolEntry>()
  /** The last call that made a plan; the plan itself may come after other calls. */
  let lastTodo: ToolEntry | undefined
  const tasks = new Map<string, TaskEntry>()
  /** The open text of each author. */
  const openTexts = new Map<string, TextEntry>()
  const counts: FilterCounts = {text: 0, tools: 0, changes: 0, errors: 0, waits: 0}
  const requests = createOpenRequests(timeline, counts)
  const wait = createOpenWait(timeline)
  const fileCalls: ToolEntry[] = []
  let fileChanges = 0
  let isAgent = true
  let sessionId = ''
  let turns = 0
  let turnCost = 0
  /** Cost since the last result, as a sum of parts. */
  let usedCost: number | undefined
  let isIdle = false

  const lists: FeedLists = {
    entries,
    top,
    timeline,
    fileCalls,
    findEntry: (id) => byId.get(id),
    findTool: (toolId) => tools.get(toolId),
  }

  return {
    lists,
    /** How many entries each filter shows. */
    counts,
    /** How many file changes there were. */
    get fileChanges() {
      return fileChanges
    },
    begin({at, agent, prompt}: StartItem): void {
      isAgent = agent !== null
      timeline.rest(at)
      if (prompt === undefined || prompt === '') return
      add({type: 'prompt', ...base('prompt', {at, line: 0}), text: prompt})
    },
    see,
    answer: requests.answer,
    end(item: EndItem): void {
      const {at} = item
      wait.end(at)
      requests.endAll(at)
      for (const task of tasks.values()) endTask(task, at, undefined)
      add({type: 'end', ...base('end', {at, line: 0}), ending: pickEnding(item)})
    },
  }

  /** Adds the next event, with the id of the entry that it creates, if any. */
  function see(event: SeenEvent, id: EntryId): void {
    const {at} = event
    if (isIdle && BEGINNINGS.has(event.type)) {
      isIdle = false
      timeline.startTurn(at)
      timeline.rest(at)
    }
    if (event.type !== 'status' && event.type !== 'usage') wait.end(at)
    switch (event.type) {
      case 'session-start':
        return startSession(event, id)
      case 'text':
      case 'text-delta':
      case 'thinking':
      case 'thinking-delta':
        return addText(event, id)
      case 'tool-start':
        return startTool(event, id)
      case 'tool-update': {
        const entry = tools.get(event.toolId)
        if (entry === undefined) return
        entry.tail = (entry.tail + (event.text ?? '')).slice(-MAX_TAIL_LENGTH)
        entry.toolCount = Math.max(entry.toolCount, event.toolCount ?? 0)
        return
      }
      case 'tool-end':
        return endTool(event)
      case 'file-change':
        return changeFile(event)
      case 'plan':
        return plan(event, id)
      case 'task-start':
        return startTask(event, id)
      case 'task-end': {
        const task = tasks.get(event.taskId)
        if (task !== undefined) endTask(task, at, event.ok)
        return
      }
      case 'permission-request':
        return request(event, id)
      case 'permission-denied':
        add({type: 'notice', ...base(id, event), ...toDenialNotice(event)})
        return
      case 'status':
        return addStatus(event, id)
      case 'usage':
        if (event.costUsd !== undefined) usedCost = (usedCost ?? 0) + event.costUsd
        return
      case 'turn-end':
        return endTurn(event, id)
      case 'unknown':
      case 'malformed': {
        const {type, raw, reason = ''} = event
        add({type: 'odd', ...base(id, event), isMalformed: type === 'malformed', reason, raw})
        return
      }
      default:
        event satisfies never
    }
  }

  function base(id: EntryId, {at, line}: {at: number; line: number}, parentId?: string) {
    const parent = parentId === undefined ? undefined : tools.get(parentId)
    const depth = parent === undefined ? 0 : parent.depth + 1
    return {id, at, line, lastLine: line, parentId, depth}
  }

  function add<T extends Entry>(entry: T): T {
    entries.push(entry)
    byId.set(entry.id, entry)
    countEntry(counts, entry)
    const {parentId} = entry
    const parent = parentId === undefined ? undefined : tools.get(parentId)
    if (parent === undefined) top.push(entry)
    else parent.children.push(entry)
    if (entry.type !== 'text') openTexts.delete(parentId ?? '')
    return entry
  }

  function startSession(event: Seen<'session-start'>, id: EntryId): void {
    const {agent, agentVersion, model, permissionMode, mcpServers = []} = event
    // Some agents report a continuation before every turn.
    if (event.sessionId === sessionId) return
    sessionId = event.sessionId
    add({
      type: 'session',
      ...base(id, event),
      agent,
      version: agentVersion,
      model,
      permissionMode,
      mcpServers: mcpServers.map(({name}) => name),
    })
  }

  function addText(
    event: Seen<'text' | 'text-delta' | 'thinking' | 'thinking-delta'>,
    id: EntryId,
  ): void {
    const {type, at, line, text, messageId, parentToolId, isCut = false} = event
    const author = parentToolId ?? ''
    const isThinking = type === 'thinking' || type === 'thinking-delta'
    const length = event.length ?? text.length
    timeline.work(parentToolId, at, isThinking)
    const open = openTexts.get(author)
    const isDelta = type === 'text-delta' || type === 'thinking-delta'
    const goesOn =
      open !== undefined &&
      open.isThinking === isThinking &&
      (isDelta
        ? open.messageId === messageId
        : !isAgent && open.lastLine - open.line < MAX_PRINTED_LINES)
    if (open === undefined || !goesOn) {
      const entry = add({
        type: 'text',
        ...base(id, event, parentToolId),
        isThinking,
        text,
        length,
        isCut,
        messageId,
        endAt: at,
      })
      openTexts.set(author, entry)
      return
    }
    open.endAt = at
    open.lastLine = line
    open.length += length
    open.isCut ||= isCut || open.text.length + text.length > MAX_TEXT_LENGTH
    if (!open.isCut) open.text += text
  }

  function startTool(event: Seen<'tool-start'>, id: EntryId): void {
    const {at, toolId, tool, name, summary, input, parentToolId, isCut = false} = event
    timeline.work(parentToolId, at, false)
    const entry = add<ToolEntry>({
      type: 'tool',
      ...base(id, event, parentToolId),
      toolId,
      tool,
      name,
      summary,
      input,
      isCut,
      ...nothingDone(),
    })
    tools.set(toolId, entry)
    if (tool === 'Todo') lastTodo = entry
    const parent = parentToolId === undefined ? undefined : tools.get(parentToolId)
    if (parent !== undefined) parent.toolCount++
    timeline.startTool(entry)
  }

  function endTool(event: Seen<'tool-end'>): void {
    const {at, line, toolId, ok, output, outputLength, error, exitCode, durationMs} = event
    requests.endOfTool(toolId, at)
    const entry = tools.get(toolId)
    if (entry === undefined || entry.endAt !== undefined) return
    entry.endAt = at
    entry.lastLine = line
    entry.ok = ok
    entry.output = output
    entry.outputLength = outputLength
    entry.error = error
    entry.exitCode = exitCode
    entry.durationMs = durationMs ?? event.maxDurationMs ?? at - entry.at
    entry.isAtMost = event.maxDurationMs !== undefined
    entry.isDenied = event.denied === true
    entry.isUnfinished = event.unfinished === true
    entry.isCut ||= event.isCut === true
    entry.tail = ''
    if (isError(entry)) counts.errors++
    if (entry.path !== undefined) fileChanges++
    timeline.endTool(entry)
  }

  function changeFile({toolId, path, action, added = 0, removed = 0}: Seen<'file-change'>): void {
    const entry = toolId === undefined ? undefined : tools.get(toolId)
    if (entry === undefined) return
    if (entry.path === undefined) fileCalls.push(entry)
    fileChanges++
    entry.path ??= path
    entry.action ??= action
    entry.added += added
    entry.removed += removed
  }

  function plan(event: Seen<'plan'>, id: EntryId): void {
    const {at, line, items} = event
    const isOfCall = lastTodo?.line === line || lastTodo?.plan === undefined
    const call = isOfCall ? lastTodo : undefined
    if (call !== undefined) call.plan = items
    const entry = call ?? add({type: 'plan', ...base(id, event), items})
    timeline.mark({id: entry.id, at, kind: 'plan', label: 'Plan changed'})
  }

  function startTask(event: Seen<'task-start' | 'task-end'>, id: EntryId): void {
    const {taskId, toolId, description} = event
    const tool = toolId === undefined ? undefined : tools.get(toolId)
    // Sub-agents have lanes of their own.
    if (tool?.tool === 'Task') return
    if (tool !== undefined) tool.isBackground = true
    const task: TaskEntry = {type: 'task', ...base(id, event), taskId, description}
    if (tool === undefined) add(task)
    else task.id = tool.id
    tasks.set(taskId, task)
    timeline.startTask(task)
  }

  function endTask(task: TaskEntry, at: number, ok: boolean | undefined): void {
    tasks.delete(task.taskId)
    task.endAt = at
    task.ok = ok
    // A task started by a tool has no entry of its own.
    if (isError(task) && byId.get(task.id) === task) counts.errors++
    timeline.endTask(task)
  }

  function request(event: Seen<'permission-request' | 'permission-denied'>, id: EntryId): void {
    const {requestId, toolId, name, input, reason} = event
    const entry = add<RequestEntry>({
      type: 'request',
      ...base(id, event),
      requestId,
      toolId,
      name,
      input,
      reason,
    })
    requests.add(entry)
  }

  function addStatus(event: Seen<'status'>, id: EntryId): void {
    const {at, line, status} = event
    const notice = toStatusNotice(event)
    if (notice === undefined) return
    if (wait.goOn(notice, line)) return
    wait.end(at)
    const entry = add<NoticeEntry>({type: 'notice', ...base(id, event), ...notice})
    if (status === 'interrupted') {
      timeline.mark({id: entry.id, at, kind: status, label: NOTICE_WORDS[status]})
    }
    if (notice.isWait) wait.start(entry)
  }

  function endTurn(event: Seen<'turn-end'>, id: EntryId): void {
    const {at, ok, costUsd, durationMs, reason, errors, isCut = false} = event
    const last = openTexts.get('')
    // The result repeats the last text.
    const isLastText = (words: string) => last?.text.trim() === words.trim()
    const isSameStart =
      isCut && last?.length === event.length && last?.text.startsWith(event.text) === true
    const isRepeated = isSameStart || isLastText(event.text)
    const text = isRepeated ? '' : event.text
    const failure = ok ? event.stopped : (errors?.[0] ?? reason)
    const isTotal = costUsd !== undefined && costUsd >= turnCost
    // The total of a resumed session includes earlier runs; the parts do not.
    const ownCost = usedCost ?? (costUsd !== undefined && isTotal ? costUsd - turnCost : costUsd)
    const entry = add({
      type: 'turn',
      ...base(id, event),
      turn: ++turns,
      ok,
      text,
      isCut: isCut && !isRepeated,
      reason: failure !== undefined && isLastText(failure) ? undefined : failure,
      durationMs,
      costUsd: ownCost,
    })
    if (costUsd !== undefined) turnCost = costUsd
    usedCost = undefined
    requests.endAll(at)
    openTexts.clear()
    timeline.rest(at)
    timeline.mark({id: entry.id, at, kind: 'turn-end', label: `Result ${turns}`})
    isIdle = true
  }
}
