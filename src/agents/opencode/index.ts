import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, isOtherCommand, optionValue} from '../../core/events/flags.ts'
import {isRecord, numberAt, textAt} from '../../core/wire/json.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** OpenCode: `opencode run --format json …`. */
export const opencode: Adapter = {
  id: 'opencode',
  label: 'OpenCode',
  commands: ['opencode'],
  packages: ['opencode-ai'],
  detect(record) {
    if (!shapes.has(kindOf(record)) || textAt(record, 'sessionID') === undefined) return 0
    if (numberAt(record, 'timestamp') === undefined) return 1
    return isRecord(record['part']) || isRecord(record['error']) ? 2 : 1
  },
  flags(args) {
    if (isOtherCommand(args, OTHER_COMMANDS)) return []
    const format = optionValue(args, '--format')
    if (format !== undefined && format !== 'json') return []
    return [
      ...(args.includes('run') ? [] : ['run']),
      ...(format === undefined ? ['--format', 'json'] : []),
      // Thoughts are printed only on demand.
      ...(hasOption(args, '--thinking') ? [] : ['--thinking']),
    ]
  },
  printsText: (args) =>
    isOtherCommand(args, OTHER_COMMANDS) || (optionValue(args, '--format') ?? 'json') !== 'json',
  findPrompt: (args) =>
    isOtherCommand(args, OTHER_COMMANDS) ? undefined : reader.findPrompt(args),
  env: {OPENCODE_DISABLE_AUTOUPDATE: '1'},
  tells: {thinking: true, permissions: true, cost: true},
  exitCodes: {},
  // It says so of errors that it got over.
  ignoredExitCodes: [1],
  kindOf,
  shapes,
  createTranslator,
}

/** What else the program can do; none of it prints events. */
const OTHER_COMMANDS =
  'completion acp mcp attach debug auth providers agent upgrade uninstall serve web models stats export ' +
  'import github pr session plugin db'

const reader = createArgumentReader({
  // As of 1.18.33.
  valued: `
    --log-level --command -s --session -m --model --agent --format --attach -p --password -u --username --dir --port
    --variant`,
  optional: '--title',
  variadic: '-f --file',
  commands: 'run',
  isJoined: true,
})
