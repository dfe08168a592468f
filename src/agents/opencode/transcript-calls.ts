import type {Draft} from '../../core/events/adapter.ts'
import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readTool} from './tools.ts'
import {isInterrupted, isStarted} from './transcript-parts.ts'

/** Reads the calls of a session, and links sub-agents to the calls that started them. */
export interface CallReader {
  read(record: JsonObject): Draft[]
  /** Adds the record of a session; returns whether it is that of a sub-agent. */
  addSession(session: JsonObject): boolean
  isSubAgent(sessionId: string | undefined): boolean
  /** The call that started the sub-agent of a record. */
  parentOf(record: JsonObject): string | undefined
  /** The ends of sub-agents up to a time: their calls are stored as one record. */
  endUntil(at: number | undefined): Draft[]
  end(): Draft[]
}

/** Creates the reader of a session. */
export function createCallReader(): CallReader {
  /** Titles of sub-agents by session. */
  const titles = new Map<string, string>()
  /** Calls that started sub-agents, by session, or by title as long as the session is not known. */
  const parents = new Map<string, string>()
  const ended = new Set<string>()
  /** The part that has an id: some models repeat ids. */
  const owners = new Map<string, string>()
  let ends: {at: number; draft: Draft}[] = []

  return {
    read,
    addSession(session) {
      const id = textAt(session, 'id')
      if (id === undefined || textAt(session, 'parentID') === undefined) return false
      titles.set(id, textAt(session, 'title') ?? '')
      return true
    },
    isSubAgent: (sessionId) => titles.has(sessionId ?? ''),
    parentOf,
    endUntil(at) {
      const due = ends.filter((end) => end.at <= (at ?? 0))
      ends = ends.filter((end) => !due.includes(end))
      return due.map(({draft}) => draft)
    },
    end: () => ends.splice(0).map(({draft}) => draft),
  }

  function read(record: JsonObject): Draft[] {
    const part = objectAt(record, 'part')
    const state = objectAt(part, 'state')
    const id = textAt(part, 'id') ?? ''
    if (!isStarted(part) || ended.has(id)) return []
    const isOver = isComplete(state) && !isInterrupted(part)
    if (isOver) ended.add(id)
    // The output that was dropped from the context is still here.
    const {compacted: _compacted, ...time} = objectAt(state, 'time')
    const call = withOwnId(part, id, record)
    const drafts = readTool({...call, state: {...state, time}})
    const start = drafts.find((draft) => draft.type === 'tool-start')
    if (start === undefined) return drafts
    start.parentToolId = parentOf(record)
    const isAgent = start.tool === 'Task'
    if (isAgent) linkAgent(start.toolId, state)
    if (!isOver) return [start]
    return isAgent ? holdEnd(drafts) : drafts
  }

  function withOwnId(part: JsonObject, id: string, record: JsonObject): JsonObject {
    const callID = textAt(part, 'callID')
    const messageID = textAt(record, 'messageID')
    if (callID === undefined) return {...part, messageID}
    const owner = owners.get(callID)
    if (owner === undefined) owners.set(callID, id)
    return {...part, callID: owner === undefined || owner === id ? callID : id, messageID}
  }

  function linkAgent(toolId: string, state: JsonObject): void {
    const {input} = state
    const sessionId =
      textAt(objectAt(state, 'metadata'), 'sessionId') ??
      SESSION_ID.exec(textAt(state, 'output') ?? '')?.[0]
    if (sessionId !== undefined) parents.set(sessionId, toolId)
    const title = `${textAt(input, 'description')} (@${textAt(input, 'subagent_type')} subagent)`
    parents.set(title, toolId)
  }

  function holdEnd(drafts: Draft[]): Draft[] {
    return drafts.filter((draft) => {
      if (draft.type !== 'tool-end' || draft.at === undefined) return true
      ends.push({at: draft.at, draft})
      return false
    })
  }

  function parentOf(record: JsonObject): string | undefined {
    const sessionId = textAt(record, 'sessionID') ?? ''
    const title = titles.get(sessionId)
    if (title === undefined) return undefined
    return parents.get(sessionId) ?? parents.get(title)
  }
}

function isComplete(state: JsonObject): boolean {
  return state['status'] === 'completed' || state['status'] === 'error'
}

const SESSION_ID = /\bses_\w+/
