import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {TranscriptSource} from '../core/events/transcript.ts'
import {openReadOnly} from '../database/open-read-only.ts'
import {readTextFile} from './read-file.ts'
import {pathOf, type Transcript} from './transcripts.ts'

/** A source with a database that may be open. */
export interface OpenSource extends TranscriptSource {
  close(): void
}

/** Opens a transcript and the files around it for reading. The agent's files are never written or locked. */
export function openTranscriptSource(
  transcript: Pick<Transcript, 'root' | 'path' | 'file' | 'sessionId'>,
): OpenSource {
  const {root, path, file, sessionId} = transcript
  let database: ReturnType<typeof openReadOnly> | undefined
  return {
    path,
    file,
    sessionId,
    readText: (name) => readTextFile(join(root, name)),
    listFiles(folder) {
      try {
        return readdirSync(join(root, folder))
      } catch {
        return []
      }
    },
    query(sql, ...values) {
      database ??= openReadOnly(pathOf(transcript))
      return database.query(sql, ...values)
    },
    close: () => database?.close(),
  }
}
