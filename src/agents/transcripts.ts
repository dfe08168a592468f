// One line for each agent whose sessions can be read from its files, in alphabetical order.
import type {TranscriptFormat} from '../core/events/transcript.ts'
import {claudeTranscripts} from './claude/transcript.ts'
import {clineTranscripts} from './cline/transcript.ts'
import {codexTranscripts} from './codex/transcript.ts'
import {copilotTranscripts} from './copilot/transcript.ts'
import {geminiTranscripts} from './gemini/transcript.ts'
import {kimiTranscripts} from './kimi/transcript.ts'
import {opencodeTranscripts} from './opencode/transcript.ts'
import {piTranscripts} from './pi/transcript.ts'
import {qwenTranscripts} from './qwen/transcript.ts'

/** How agents keep their sessions on disk. */
export const transcriptFormats: readonly TranscriptFormat[] = [
  claudeTranscripts,
  clineTranscripts,
  codexTranscripts,
  copilotTranscripts,
  geminiTranscripts,
  kimiTranscripts,
  opencodeTranscripts,
  piTranscripts,
  qwenTranscripts,
]
