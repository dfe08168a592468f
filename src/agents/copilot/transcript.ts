import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {timeAt} from '../../core/wire/json.ts'
import {shapes} from './shapes.ts'
import {createScanner} from './transcript-scan.ts'
import {createTranscriptTranslator} from './transcript-translate.ts'

/** The sessions of GitHub Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`. */
export const copilotTranscripts: TranscriptFormat = {
  agent: 'copilot',
  roots({home, env}) {
    const folder = env['COPILOT_HOME'] || undefined
    // Versions before 1.0 used another variable.
    const state = env['XDG_STATE_HOME'] || undefined
    const defaults = [`${home}/.copilot`, ...(state === undefined ? [] : [`${state}/.copilot`])]
    return (folder === undefined ? defaults : [folder]).map((root) =>
      root.replaceAll('\\', '/').replace(/(?<=.)\/+$/, ''),
    )
  },
  hasTranscripts: (folder) => /^session-state(?:\/[^/]+)?$/.test(folder),
  identify,
  createScanner,
  timeOf: (row) => timeAt(row, 'timestamp'),
  kindOf: kindByType,
  shapes,
  createTranslator: createTranscriptTranslator,
}

/** Versions of 2025 kept a session in one file without a folder. */
function identify(path: string): TranscriptFile | undefined {
  const [, sessionId] = /^session-state\/([^/]+?)(?:\/events)?\.jsonl$/.exec(path) ?? []
  return sessionId === undefined ? undefined : {storage: 'lines', sessionId}
}
