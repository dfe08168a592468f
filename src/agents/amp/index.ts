import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption} from '../../core/events/flags.ts'
import {textAt} from '../../core/wire/json.ts'
import {kindOf} from '../messages-api/shapes.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Amp: `amp -x … --stream-json`, with lines similar to those of Claude Code. */
export const amp: Adapter = {
  id: 'amp',
  label: 'Amp',
  commands: ['amp'],
  packages: ['@sourcegraph/amp', '@ampcode/cli'],
  // The id of a session is `T-` and a UUID.
  detect: (record) =>
    shapes.has(kindOf(record)) && textAt(record, 'session_id')?.startsWith('T-') === true ? 3 : 0,
  flags: (args) =>
    hasOption(args, '--stream-json', '--stream-json-thinking') ? [] : ['--stream-json'],
  printsText: (args) => !reader.isRun(args),
  findPrompt: (args) => reader.findPrompt(args),
  promptOption: '-x',
  reports: {thinking: true, permissions: true, cost: false},
  announcesCalls: true,
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  valued: '--settings-file --log-level --log-file --mcp-config -m --mode --visibility --toolbox',
  prompt: '-x --execute',
})
