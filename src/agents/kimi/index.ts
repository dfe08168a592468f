import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {optionValue} from '../../core/events/flags.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Kimi Code: `kimi -p … --output-format stream-json`. */
export const kimi: Adapter = {
  id: 'kimi',
  label: 'Kimi Code',
  commands: ['kimi', 'kimi-cli'],
  packages: ['@moonshot-ai/kimi-code'],
  detect(record) {
    const kind = kindOf(record)
    if (!shapes.has(kind)) return 0
    if (record['role'] === 'meta' || kind === 'goal.summary') return 2
    // Chat messages, which other programs print too.
    return 'type' in record || record['role'] === 'user' ? 0 : 1
  },
  flags: (args) =>
    optionValue(args, '--output-format') === undefined ? ['--output-format', 'stream-json'] : [],
  printsText: (args) => !reader.isRun(args) || optionValue(args, '--output-format') === 'text',
  findPrompt: (args) => reader.findPrompt(args),
  promptOption: '-p',
  reports: {thinking: false, permissions: false, cost: false},
  exitCodes: {
    3: 'the goal is blocked',
    6: 'the goal is paused',
    130: 'interrupted',
    143: 'ended by SIGTERM',
  },
  announcesCalls: true,
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 2.1.0.
  valued: '-m --model --output-format --skills-dir --agent --agent-file --add-dir',
  optional: '-S --session',
  prompt: '-p --prompt',
})
