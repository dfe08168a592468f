import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Cursor: `cursor-agent -p --output-format stream-json`, from documentation. */
export const cursor: Adapter = {
  id: 'cursor',
  label: 'Cursor CLI',
  commands: ['cursor-agent'],
  packages: [],
  detect(record) {
    const kind = kindOf(record)
    if (kind.startsWith('tool_call/') && 'call_id' in record) return 3
    // The first line of Claude Code has these fields too, but always with `tools`.
    return kind === 'system/init' && 'apiKeySource' in record && !('tools' in record) ? 3 : 0
  },
  flags: (args) => (hasOption(args, '--output-format') ? [] : ['--output-format', 'stream-json']),
  printsText: (args) => !reader.isRun(args) || optionValue(args, '--output-format') === 'text',
  findPrompt: (args) => reader.findPrompt(args),
  promptOption: '-p',
  reports: {thinking: false, permissions: false, cost: false},
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  valued: '--output-format --model -m --api-key -a -H --header --workspace --mode',
  optional: '--resume --sandbox',
  commands: 'agent',
})
