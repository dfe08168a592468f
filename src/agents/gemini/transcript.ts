import type {
  TranscriptFile,
  TranscriptFormat,
  TranscriptSource,
} from '../../core/events/transcript.ts'
import {isRecord, objectsAt, parseText, type JsonObject} from '../../core/wire/json.ts'
import {timeOf} from './transcript-rows.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createSessionTranslator} from './transcript-translate.ts'

/** The sessions of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-<minute>-<id>.jsonl`, and files of sub-agents. */
export const geminiTranscripts: TranscriptFormat = {
  agent: 'gemini',
  roots({home, env}) {
    const folder = env['GEMINI_CLI_HOME'] || home
    // Where it runs in the sandbox of macOS.
    return [`${folder}/.gemini`, `${folder}/.cache/.gemini`]
  },
  hasTranscripts(folder) {
    const [tmp, , chats = 'chats', ...rest] = folder.split('/')
    return tmp === 'tmp' && chats === 'chats' && rest.length <= 1
  },
  identify,
  readRecords,
  createScanner,
  timeOf,
  kindOf,
  shapes,
  createTranslator: createSessionTranslator,
}

function identify(path: string): TranscriptFile | undefined {
  const [tmp, , chats, ...rest] = path.split('/')
  const name = rest.at(-1) ?? ''
  if (tmp !== 'tmp' || chats !== 'chats' || rest.length > 2) return undefined
  if (rest.length === 2) {
    if (!name.endsWith('.jsonl')) return undefined
    return {storage: 'lines', sessionId: rest[0], subAgentId: name.slice(0, -'.jsonl'.length)}
  }
  if (!name.startsWith('session-')) return undefined
  if (name.endsWith('.jsonl')) return {storage: 'lines'}
  return name.endsWith('.json') ? {storage: 'document'} : undefined
}

/** Older versions keep a session as one document with all messages. */
function* readRecords({path, readText}: TranscriptSource): Generator<JsonObject> {
  const session = parseText(readText(path) ?? '')
  if (!isRecord(session)) return
  const {messages: _messages, ...header} = session
  yield header
  yield* objectsAt(session, 'messages')
}
