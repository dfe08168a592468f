import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  timeAt,
  type JsonObject,
} from '../../core/wire/json.ts'

/** A row of a session without its envelope. */
export interface Row {
  /** The type, and for events and responses their own type too: `event_msg/task_started`. */
  kind: string
  payload: JsonObject
  at: number | undefined
}

/** Opens the envelope of a row. */
export function readRow(record: JsonObject): Row {
  const {type} = record
  const at = timeAt(record, 'timestamp')
  const payload = objectAt(record, 'payload')
  if (isRecord(record['payload'])) {
    const own =
      type === 'event_msg' || type === 'response_item' ? `/${textAt(payload, 'type')}` : ''
    return {kind: `${textAt(record, 'type')}${own}`, payload, at}
  }
  // Versions before 0.32 had no envelope, and no events that repeat the texts.
  if (type === undefined && 'id' in record) return {kind: 'session_meta', payload: record, at}
  const isText = type === 'message' || type === 'reasoning'
  return {kind: isText ? type : `response_item/${textAt(record, 'type')}`, payload: record, at}
}

/** The position in a file: which thread and turn a row belongs to. Plain data, stored as JSON. */
export interface Position {
  /** The thread of the file. */
  threadId?: string | undefined
  /** The oldest thread of which the file contains a copy. */
  originId?: string | undefined
  startedAt?: number | undefined
  /** The number of the first row that is not a copy. */
  firstOrdinal?: number | undefined
  /** When rows of another thread were copied, until the first row that is not a copy. */
  copiedAt?: number | undefined
  turnId?: string | undefined
  turnStartedAt?: number | undefined
  model?: string | undefined
}

/**
 * Moves to the next row. Returns whether it is a copy: forks of older versions and some sub-agents begin with the rows
 * of their origin, with new times but the same turns.
 */
export function moveTo(position: Position, {kind, payload, at}: Row, record: JsonObject): boolean {
  switch (kind) {
    case 'session_meta':
      readThread(position, payload, at)
      return !isOwnThread(position, payload)
    case 'event_msg/task_started':
    case 'event_msg/turn_started':
    case 'turn_context':
      readTurn(position, payload)
  }
  const {firstOrdinal, copiedAt} = position
  const ordinal = numberAt(record, 'ordinal')
  if (firstOrdinal !== undefined && ordinal !== undefined) return ordinal < firstOrdinal
  // Without turns only the time is left: all rows are copied at once.
  if (copiedAt !== undefined && position.turnId === undefined && (at ?? 0) > copiedAt + COPY_MS) {
    position.copiedAt = undefined
  }
  return position.copiedAt !== undefined
}

/** Copying takes less time than a user needs for the next prompt. */
const COPY_MS = 100

/** Whether the description of a thread is that of the file, not of one that it has copied. */
export function isOwnThread({threadId}: Position, payload: JsonObject): boolean {
  return textAt(payload, 'id') === threadId
}

function readThread(position: Position, payload: JsonObject, at: number | undefined): void {
  const id = textAt(payload, 'id')
  if (id === undefined) return
  position.threadId ??= id
  if (id === position.threadId) {
    position.startedAt ??= timeAt(payload, 'timestamp') ?? at
    position.firstOrdinal = numberAt(payload, 'subagent_history_start_ordinal')
  } else position.copiedAt = at ?? 0
  position.originId = textAt(payload, 'forked_from_id') ?? id
}

function readTurn(position: Position, payload: JsonObject): void {
  const turnId = textAt(payload, 'turn_id')
  const startedAt = numberAt(payload, 'started_at')
  position.model = textAt(payload, 'model') ?? position.model
  if (turnId === undefined) return
  if (turnId !== position.turnId) position.turnStartedAt = undefined
  position.turnId = turnId
  if (startedAt !== undefined) position.turnStartedAt = startedAt * 1000
  if (position.copiedAt !== undefined && isOwnTurn(position, turnId)) position.copiedAt = undefined
}

/** Ids of version 7 begin with their time. */
function isOwnTurn({threadId = '', startedAt, turnStartedAt}: Position, turnId: string): boolean {
  if (SORTED_ID.test(threadId) && SORTED_ID.test(turnId)) return turnId > threadId
  if (startedAt === undefined || turnStartedAt === undefined) return false
  return turnStartedAt >= Math.floor(startedAt / 1000) * 1000
}

const SORTED_ID = /^[\da-f]{8}-[\da-f]{4}-7/

/** The thread in the name of a file. */
export function threadOf(path: string): string | undefined {
  return /-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl/.exec(path)?.[1]
}

/** The prompt in a row, as the user typed it; `undefined` for texts of the program. */
export function promptOf({kind, payload}: Row): string | undefined {
  switch (kind) {
    case 'event_msg/user_message':
      return payload['kind'] === undefined || payload['kind'] === 'plain'
        ? cleanPrompt(textAt(payload, 'message') ?? '')
        : undefined
    case 'event_msg/item_completed': {
      const item = objectAt(payload, 'item')
      return item['type'] === 'UserMessage' ? cleanPrompt(textsOf(item, 'content')) : undefined
    }
    case 'message':
      return payload['role'] === 'user' ? cleanPrompt(textsOf(payload, 'content')) : undefined
    default:
      return undefined
  }
}

/** Editors put the state of the editor before the prompt. */
function cleanPrompt(text: string): string | undefined {
  const start = text.lastIndexOf(REQUEST_HEADING)
  const prompt = (start === -1 ? text : text.slice(start + REQUEST_HEADING.length)).trim()
  return prompt === '' || INJECTED.test(prompt) ? undefined : prompt
}

const REQUEST_HEADING = '## My request for Codex:'

/** Texts of the program in the role of the user. */
const INJECTED =
  /^<(?:environment_context|user_instructions|turn_aborted|subagent_notification|user_action|skill)>/

/** The texts of the parts in a field. */
export function textsOf(value: JsonObject, name: string): string {
  return objectsAt(value, name)
    .map((part) => textAt(part, 'text') ?? '')
    .filter(Boolean)
    .join('\n')
}
