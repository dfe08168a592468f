import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {isRecord, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readStderr} from './stderr.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Gemini CLI: `gemini -o stream-json -p …`. */
export const gemini: Adapter = {
  id: 'gemini',
  label: 'Gemini CLI',
  commands: ['gemini'],
  packages: ['@google/gemini-cli'],
  detect(record) {
    if (textAt(record, 'timestamp') === undefined) return 0
    return isOwn(record) ? 3 : isLike(record) ? 2 : 0
  },
  flags: (args) =>
    !reader.isRun(args) || hasOption(args, '-o', '--output-format') ? [] : ['-o', 'stream-json'],
  printsText: (args) =>
    !reader.isRun(args) ||
    ['text', 'json'].includes(optionValue(args, '-o', '--output-format') ?? ''),
  findPrompt: (args) => reader.findPrompt(args),
  promptOption: '-p',
  // Otherwise it runs a copy of itself that signals to the first process do not reach.
  env: {GEMINI_CLI_NO_RELAUNCH: 'true'},
  reports: {thinking: false, permissions: false, cost: false},
  exitCodes: {
    41: 'not logged in',
    42: 'missing or invalid prompt',
    44: 'the sandbox failed',
    52: 'invalid settings',
    53: 'turn limit reached',
    54: 'a tool failed permanently',
    55: 'the folder is not trusted',
    130: 'interrupted',
    // The HTTP status of a failed request, modulo 256.
    144: 'the request was rejected (HTTP 400)',
    145: 'the API key was rejected (HTTP 401)',
    147: 'access was denied (HTTP 403)',
    148: 'model not found (HTTP 404)',
    173: 'rate limit or quota exceeded (HTTP 429)',
    244: 'the service failed (HTTP 500)',
    247: 'the service is overloaded (HTTP 503)',
  },
  announcesCalls: true,
  kindOf: kindByType,
  shapes,
  createTranslator,
  readStderr,
}

function isOwn(record: JsonObject): boolean {
  switch (record['type']) {
    case 'init':
      return 'session_id' in record && 'model' in record
    case 'tool_use':
      return 'tool_id' in record && 'tool_name' in record
    case 'tool_result':
      return 'tool_id' in record && 'status' in record
    case 'result':
      return isRecord(record['stats']) && 'status' in record
    default:
      return false
  }
}

function isLike(record: JsonObject): boolean {
  const {type} = record
  if (type === 'message') return 'role' in record && 'content' in record
  return type === 'error' && 'severity' in record && 'message' in record
}

const reader = createArgumentReader({
  // As of 0.61.0.
  valued:
    '-m --model --approval-mode --session-file --session-id --delete-session -o --output-format',
  optional: '-w --worktree -r --resume',
  variadic:
    '--policy --admin-policy --allowed-mcp-server-names --allowed-tools -e --extensions --include-directories',
  prompt: '-p --prompt -i --prompt-interactive',
  otherCommands: 'mcp extensions extension skills skill hooks hook',
  isJoined: true,
})
