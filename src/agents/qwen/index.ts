import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {kindOf} from '../messages-api/shapes.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Qwen Code: `qwen -o stream-json …`, with lines similar to those of Claude Code. */
export const qwen: Adapter = {
  id: 'qwen',
  label: 'Qwen Code',
  commands: ['qwen'],
  packages: ['@qwen-code/qwen-code'],
  detect: (record) => ('qwen_code_version' in record ? 3 : 0),
  flags: (args) =>
    !reader.isRun(args) || hasOption(args, '-o', '--output-format')
      ? []
      : ['--output-format', 'stream-json'],
  printsText: (args) =>
    !reader.isRun(args) || optionValue(args, '-o', '--output-format') === 'text',
  findPrompt: (args) => reader.findPrompt(args),
  reports: {thinking: true, permissions: true, cost: false},
  exitCodes: {
    52: 'bad settings',
    53: 'turn limit reached',
    55: 'tool-call limit reached',
    130: 'interrupted',
  },
  announcesCalls: true,
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 0.24.4.
  valued: `
    --telemetry-target --telemetry-otlp-endpoint --telemetry-otlp-protocol --telemetry-outfile --proxy -m --model
    --system-prompt --append-system-prompt --output-style --sandbox-image --approval-mode --channel --mcp-config
    --openai-logging-dir --openai-api-key --openai-base-url --input-format -o --output-format --json-fd --json-file
    --json-schema --input-file --session-id --max-session-turns --max-wall-time --max-tool-calls --max-subagent-depth
    --auth-type`,
  optional: '-r --resume --worktree',
  variadic: `
    --fallback-model --allowed-mcp-server-names --allowed-tools -e --extensions --include-directories --add-dir
    --core-tools --exclude-tools --disabled-slash-commands`,
  prompt: '-p --prompt -i --prompt-interactive',
  otherCommands: 'mcp extensions skills hooks auth',
  isJoined: true,
})
