import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {timeAt} from '../../core/wire/json.ts'
import {readRecords} from './transcript-document.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createSessionTranslator} from './transcript-translate.ts'

/** The sessions of Qwen Code: `~/.qwen/projects/<project>/chats/<session>.jsonl`, and files of sub-agents. */
export const qwenTranscripts: TranscriptFormat = {
  agent: 'qwen',
  roots({home, env}) {
    const folders = [env['QWEN_RUNTIME_DIR'] ?? '', env['QWEN_HOME'] || `${home}/.qwen`]
    return folders.filter(Boolean).map((folder) => folder.replace(/^~(?=\/|$)/, home))
  },
  hasTranscripts(folder) {
    const [projects, , kind, name, ...rest] = folder.split('/')
    if (projects === 'tmp') return (kind === undefined || kind === 'chats') && name === undefined
    if (projects !== 'projects' || rest.length > 0) return false
    if (kind === 'chats') return name === undefined || name === 'archive'
    return kind === undefined || kind === 'subagents'
  },
  identify,
  readRecords,
  createScanner,
  timeOf: (row) => timeAt(row, 'timestamp'),
  kindOf,
  shapes,
  createTranslator: createSessionTranslator,
}

function identify(path: string): TranscriptFile | undefined {
  const [projects, , kind, ...rest] = path.split('/')
  const name = rest.at(-1) ?? ''
  if (projects === 'tmp' && kind === 'chats' && rest.length === 1) {
    return /^session-.*\.json$/.test(name) ? {storage: 'document'} : undefined
  }
  if (projects !== 'projects' || !name.endsWith('.jsonl')) return undefined
  const id = name.slice(0, -'.jsonl'.length)
  const folder = rest.slice(0, -1).join('/')
  if (kind === 'chats' && (folder === '' || folder === 'archive')) {
    return {storage: 'lines', sessionId: id}
  }
  if (kind !== 'subagents' || rest.length !== 2 || !id.startsWith('agent-')) return undefined
  return {storage: 'lines', sessionId: folder, subAgentId: id.slice('agent-'.length)}
}
