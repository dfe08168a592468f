import type {TranscriptSource} from '../../core/events/transcript.ts'
import {isRecord, objectAt, parseText, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {
  toMessageRecords,
  toSessionRecord,
  type StoredMessage,
  type StoredPart,
} from './transcript-rows.ts'

/** Reads the records of a session that is kept as documents, one for each message and each part. */
export function* readDocuments(source: TranscriptSource): Generator<JsonObject> {
  const {path, file, readText} = source
  const session = parseText(readText(path) ?? '')
  if (!isRecord(session)) return
  yield toSessionRecord(session)
  for (const message of readMessages(source, file.sessionId ?? '')) {
    yield* toMessageRecords(session, {...message, parts: readFolder(source, `part/${message.id}`)})
  }
}

function readMessages(source: TranscriptSource, sessionId: string): Omit<StoredMessage, 'parts'>[] {
  const createdAt = (data: unknown) => timeAt(objectAt(data, 'time'), 'created') ?? 0
  return readFolder(source, `message/${sessionId}`).toSorted(
    (one, other) => createdAt(one.data) - createdAt(other.data),
  )
}

/** The documents of a folder by their id, which grows. */
function readFolder({listFiles, readText}: TranscriptSource, folder: string): StoredPart[] {
  return listFiles(`storage/${folder}`)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      const text = readText(`storage/${folder}/${name}`)
      // A document that is being written is read later.
      const data = parseText(text ?? '')
      return isRecord(data) ? [{id: name.slice(0, -'.json'.length), data}] : []
    })
}
