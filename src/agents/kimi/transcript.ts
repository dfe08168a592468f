import {kindByType} from '../../core/events/shapes.ts'
import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {MAIN_AGENT, timeOf} from './transcript-rows.ts'
import {createScanner} from './transcript-scan.ts'
import {shapes} from './transcript-shapes.ts'
import {createTranslator} from './transcript-translate.ts'

/** The sessions of Kimi Code: `~/.kimi-code/sessions/<folder>/<session>/agents/<agent>/wire.jsonl`. */
export const kimiTranscripts: TranscriptFormat = {
  agent: 'kimi',
  roots: ({home, env}) => [toFolder(env['KIMI_CODE_HOME'] || `${home}/.kimi-code`)],
  hasTranscripts: (folder) => FOLDER.test(folder),
  identify,
  createScanner,
  timeOf,
  kindOf: kindByType,
  shapes,
  createTranslator,
}

const FOLDER = /^sessions(?:\/[^/]+(?:\/[^/]+(?:\/agents(?:\/[^/]+)?)?)?)?$/

function identify(path: string): TranscriptFile | undefined {
  const [, sessionId, agent] = WIRE.exec(path) ?? []
  if (sessionId === undefined) return undefined
  return {storage: 'lines', sessionId, subAgentId: agent === MAIN_AGENT ? undefined : agent}
}

const WIRE = /^sessions\/[^/]+\/([^/]+)\/agents\/([^/]+)\/wire\.jsonl$/

function toFolder(path: string): string {
  return path.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '')
}
