import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption} from '../../core/events/flags.ts'
import {isRecord, textAt} from '../../core/wire/json.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Cline CLI: `cline --json …`. */
export const cline: Adapter = {
  id: 'cline',
  label: 'Cline',
  monogram: 'Cn',
  commands: ['cline'],
  packages: ['cline'],
  detect(record) {
    if (textAt(record, 'ts') === undefined) return 0
    const {type} = record
    if (type === 'hook_event') return 'hookEventName' in record ? 2 : 0
    if (type === 'agent_event' || type === 'team_event') return isRecord(record['event']) ? 2 : 0
    if (type === 'error') return 1
    return shapes.has(kindOf(record)) ? 2 : 0
  },
  flags: (args) => (!reader.isRun(args) || hasOption(args, '--json') ? [] : ['--json']),
  printsText: (args) => !reader.isRun(args),
  findPrompt: (args) => reader.findPrompt(args),
  reports: {thinking: true, permissions: true, cost: true},
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 3.0.65.
  valued: `
    --auto-approve -c --cwd --thinking --compaction --id -P --provider -k --key -m --model -s --system -t --timeout
    --config --data-dir --hooks-dir`,
  optional: '--retries',
  otherCommands: 'auth config history mcp hub update version help task',
})
