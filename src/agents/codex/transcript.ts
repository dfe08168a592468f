import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {timeAt} from '../../core/wire/json.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createTranslator} from './transcript-translate.ts'

/** The sessions of Codex: `~/.codex/sessions/2026/11/16/rollout-<time>-<thread>.jsonl`, and archived ones. */
export const codexTranscripts: TranscriptFormat = {
  agent: 'codex',
  roots({home, env}) {
    const folder = (env['CODEX_HOME'] || `${home}/.codex`).replaceAll('\\', '/')
    return [folder.replace(/(?<=.)\/+$/, '')]
  },
  hasTranscripts: (folder) => /^(?:archived_)?sessions(?:\/|$)/.test(folder),
  identify,
  createScanner,
  timeOf: (row) => timeAt(row, 'timestamp'),
  kindOf,
  shapes,
  createTranslator,
}

/** The name contains the thread, which is the session only if it is not that of a sub-agent. */
function identify(path: string): TranscriptFile | undefined {
  const [, suffix] = ROLLOUT.exec(path) ?? []
  if (suffix === undefined) return undefined
  return suffix === '.jsonl' ? {storage: 'lines'} : {storage: 'lines', compression: 'zstd'}
}

const ROLLOUT = /^(?:archived_)?sessions\/(?:.*\/)?rollout-[^/]*(\.jsonl(?:\.zst)?)$/
