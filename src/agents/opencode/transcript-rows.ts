import {isRecord, objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'

/** A message with its parts, from a database or from documents. */
export interface StoredMessage {
  id: string
  /** The message, or its text if it is damaged. */
  data: unknown
  /** The time at which the row was written. */
  createdAt?: number | undefined
  parts: StoredPart[]
}

/** A part of a message. */
export interface StoredPart {
  id: string
  data: unknown
  createdAt?: number | undefined
}

/** The record of a session. */
export function toSessionRecord(session: JsonObject): JsonObject {
  return {type: 'session', at: timeAt(objectAt(session, 'time'), 'created'), ...session}
}

/** The records of a message: a prompt before its parts, an answer after them. */
export function toMessageRecords(session: JsonObject, message: StoredMessage): JsonObject[] {
  const {id, data} = message
  const sessionID = textAt(session, 'id')
  const time = objectAt(data, 'time')
  const created = timeAt(time, 'created') ?? message.createdAt
  const completed = timeAt(time, 'completed')
  const isAnswer = textAt(data, 'role') === 'assistant'
  const fields = isRecord(data) ? data : {data}
  const at = isAnswer ? (completed ?? created) : created
  const record = {type: 'message', at, id, sessionID, ...fields}
  // A fork contains older messages, whose parts were written with the fork.
  const isCopy = (created ?? 0) < (timeAt(objectAt(session, 'time'), 'created') ?? 0)
  let partAt = created
  const parts: JsonObject[] = []
  for (const part of message.parts) {
    if (isAnswer) partAt = timeOfPart(part, isCopy) ?? partAt
    parts.push({
      type: 'part',
      at: partAt,
      role: textAt(data, 'role'),
      modelID: textAt(data, 'modelID'),
      providerID: textAt(data, 'providerID'),
      sessionID,
      messageID: id,
      part: isRecord(part.data) ? {id: part.id, ...part.data} : part.data,
    })
  }
  return isAnswer ? [...parts, record] : [record, ...parts]
}

function timeOfPart({data, createdAt}: StoredPart, isCopy: boolean): number | undefined {
  if (!isCopy && createdAt !== undefined) return createdAt
  const state = objectAt(data, 'state')
  return timeAt(objectAt(data, 'time'), 'start') ?? timeAt(objectAt(state, 'time'), 'start')
}
