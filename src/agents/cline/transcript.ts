import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {readRecords, timeOf} from './transcript-rows.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createSessionTranslator} from './transcript-translate.ts'

/** The sessions of Cline CLI: `~/.cline/data/sessions/<id>/<id>.messages.json`, and files of sub-agents. */
export const clineTranscripts: TranscriptFormat = {
  agent: 'cline',
  roots({home, env}) {
    const read = (name: string) => env[name]?.trim() || undefined
    const data = read('CLINE_DATA_DIR') ?? `${read('CLINE_DIR') ?? `${home}/.cline`}/data`
    return [read('CLINE_SESSION_DATA_DIR') ?? `${data}/sessions`]
  },
  hasTranscripts: (folder) => !folder.includes('/'),
  identify,
  readRecords,
  createScanner,
  timeOf,
  kindOf,
  shapes,
  createTranslator: createSessionTranslator,
}

function identify(path: string): TranscriptFile | undefined {
  const [sessionId = '', name, ...rest] = path.split('/')
  if (name === undefined || rest.length > 0 || !name.endsWith(SUFFIX)) return undefined
  const id = name.slice(0, -SUFFIX.length)
  return id === sessionId
    ? {storage: 'document', sessionId}
    : {storage: 'document', sessionId, subAgentId: id}
}

const SUFFIX = '.messages.json'
