import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {createScanner} from './transcript-scan.ts'
import {timeOf} from './transcript-rows.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createTranslator} from './transcript-translate.ts'

/** The sessions of Pi: `~/.pi/agent/sessions/--<folder>--/<time>_<session>.jsonl`. */
export const piTranscripts: TranscriptFormat = {
  agent: 'pi',
  roots({home, env}) {
    const resolve = (folder: string) => resolveFolder(folder, home)
    const sessions = env['PI_CODING_AGENT_SESSION_DIR'] || undefined
    // Sessions from before the variable was set are still in the other folder.
    return [
      `${resolve(env['PI_CODING_AGENT_DIR'] || '~/.pi/agent')}/sessions`,
      ...(sessions === undefined ? [] : [resolve(sessions)]),
    ]
  },
  hasTranscripts: (folder) => /^--[^/]*--$/.test(folder),
  identify,
  createScanner,
  timeOf,
  kindOf,
  shapes,
  createTranslator,
}

/** The user can name the file; Pi puts the id at its end. */
function identify(path: string): TranscriptFile | undefined {
  if (!/^(?:--[^/]*--\/)?[^/]+\.jsonl$/.test(path)) return undefined
  return {storage: 'lines', sessionId: /([^/_]+)\.jsonl$/.exec(path)?.[1]}
}

function resolveFolder(folder: string, home: string): string {
  const path = folder.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '')
  return path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path
}
