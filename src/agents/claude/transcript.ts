import type {TranscriptFile, TranscriptFormat} from '../../core/events/transcript.ts'
import {timeAt} from '../../core/wire/json.ts'
import {createScanner} from './transcript-scan.ts'
import {kindOf, shapes} from './transcript-shapes.ts'
import {createSessionTranslator} from './transcript-session.ts'

/** The sessions of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, and files of sub-agents. */
export const claudeTranscripts: TranscriptFormat = {
  agent: 'claude',
  roots({home, env}) {
    const folders = (env['CLAUDE_CONFIG_DIR'] ?? '').split(',').filter((folder) => folder !== '')
    const defaults = [`${env['XDG_CONFIG_HOME'] || `${home}/.config`}/claude`, `${home}/.claude`]
    return (folders.length > 0 ? folders : defaults).map((folder) => `${folder}/projects`)
  },
  hasTranscripts(folder) {
    const parts = folder.split('/')
    // A project, a session, and its sub-agents, which may be in groups.
    return parts.length <= 2 || parts[2] === 'subagents'
  },
  identify,
  marker: '"output_tokens"',
  createScanner,
  timeOf: (row) => timeAt(row, 'timestamp'),
  kindOf,
  shapes,
  createTranslator: createSessionTranslator,
}

function identify(path: string): TranscriptFile | undefined {
  if (!path.endsWith('.jsonl')) return undefined
  const [, session = '', folder, ...rest] = path.split('/')
  const name = (rest.at(-1) ?? session).slice(0, -'.jsonl'.length)
  const subAgentId = name.startsWith('agent-') ? name.slice('agent-'.length) : undefined
  if (folder === undefined) {
    // Version 2.0 keeps sub-agents beside the session, which only their rows name.
    return subAgentId === undefined
      ? {storage: 'lines', sessionId: name}
      : {storage: 'lines', subAgentId}
  }
  // Workflows have journals there, which are no transcripts.
  if (folder !== 'subagents' || subAgentId === undefined) return undefined
  return {storage: 'lines', sessionId: session, subAgentId}
}
