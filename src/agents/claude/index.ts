import type {Adapter} from '../../core/events/adapter.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {isRecord} from '../../core/wire/json.ts'
import {kindOf} from '../messages-api/shapes.ts'
import {findPrompt, isRun} from './arguments.ts'
import {control} from './control.ts'
import {hasPrice} from './prices.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Claude Code: `claude -p … --output-format stream-json --verbose`. */
export const claude: Adapter = {
  id: 'claude',
  label: 'Claude Code',
  commands: ['claude'],
  packages: ['@anthropic-ai/claude-code'],
  detect(record) {
    if ('claude_code_version' in record) return 3
    const {type} = record
    // Other agents that print such lines identify themselves in their first line.
    if (type === 'assistant' || type === 'user') return 'message' in record ? 2 : 1
    if (type === 'result') return 'result' in record || 'is_error' in record ? 2 : 1
    if (type === 'stream_event') return isRecord(record['event']) ? 2 : 1
    return shapes.has(kindOf(record)) && !AMBIGUOUS.has(type) ? 1 : 0
  },
  flags(args) {
    if (!isRun(args)) return []
    const format = optionValue(args, '--output-format')
    const flags = format === undefined ? ['--output-format', 'stream-json'] : []
    // Print mode rejects stream-json without it.
    const wantsVerbose =
      (format ?? 'stream-json') === 'stream-json' && !hasOption(args, '--verbose')
    return wantsVerbose ? [...flags, '--verbose'] : flags
  },
  printsText: (args) => !isRun(args) || optionValue(args, '--output-format') === 'text',
  findPrompt,
  promptOption: '-p',
  reports: {thinking: true, permissions: true, cost: true},
  hasPrice,
  exitCodes: {129: 'ended by SIGHUP', 130: 'interrupted', 143: 'ended by SIGTERM'},
  kindOf,
  shapes,
  createTranslator,
  control,
}

/** Types that other agents print before they identify themselves. */
const AMBIGUOUS = new Set<unknown>([
  'control_response',
  'control_request',
  'keep_alive',
  'error',
  'ping',
])
