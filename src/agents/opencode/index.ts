import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {isRecord, numberAt, textAt} from '../../core/wire/json.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** OpenCode: `opencode run --format json …`. */
export const opencode: Adapter = {
  id: 'opencode',
  label: 'OpenCode',
  monogram: 'Oc',
  commands: ['opencode'],
  packages: ['opencode-ai'],
  detect(record) {
    if (!shapes.has(kindByType(record)) || textAt(record, 'sessionID') === undefined) return 0
    if (numberAt(record, 'timestamp') === undefined) return 1
    return isRecord(record['part']) || isRecord(record['error']) ? 2 : 1
  },
  flags(args) {
    if (!reader.isRun(args)) return []
    const format = optionValue(args, '--format')
    if (format !== undefined && format !== 'json') return []
    return [
      ...(args.includes('run') ? [] : ['run']),
      ...(format === undefined ? ['--format', 'json'] : []),
      // Thinking is printed only with this option.
      ...(hasOption(args, '--thinking') ? [] : ['--thinking']),
    ]
  },
  printsText: (args) => !reader.isRun(args) || (optionValue(args, '--format') ?? 'json') !== 'json',
  findPrompt: (args) => reader.findPrompt(args),
  env: {OPENCODE_DISABLE_AUTOUPDATE: '1'},
  reports: {thinking: true, permissions: true, cost: true},
  // OpenCode also exits with 1 after errors from which it recovered.
  ignoredExitCodes: [1],
  kindOf: kindByType,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 1.18.33.
  valued: `
    --log-level --command -s --session -m --model --agent --format --attach -p --password -u --username --dir --port
    --variant`,
  optional: '--title',
  variadic: '-f --file',
  commands: 'run',
  otherCommands: `
    completion acp mcp attach debug auth providers agent upgrade uninstall serve web models stats export import github
    pr session plugin db`,
  isJoined: true,
})
