import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, isOtherCommand} from '../../core/events/flags.ts'
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
  flags: (args) =>
    isOtherCommand(args, OTHER_COMMANDS) || hasOption(args, '--json') ? [] : ['--json'],
  printsText: (args) => isOtherCommand(args, OTHER_COMMANDS),
  findPrompt: (args) =>
    isOtherCommand(args, OTHER_COMMANDS) ? undefined : reader.findPrompt(args),
  env: {},
  reports: {thinking: true, permissions: true, cost: true},
  exitCodes: {},
  kindOf,
  shapes,
  createTranslator,
}

/** Other commands of the program; none of them prints events. */
const OTHER_COMMANDS = 'auth config history mcp hub update version help task'

const reader = createArgumentReader({
  // As of 3.0.65.
  valued: `
    --auto-approve -c --cwd --thinking --compaction --id -P --provider -k --key -m --model -s --system -t --timeout
    --config --data-dir --hooks-dir`,
  optional: '--retries',
})
