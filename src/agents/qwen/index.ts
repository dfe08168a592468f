import {hasOption, isOtherCommand, type Adapter} from '../../core/index.ts'
import {kindOf} from '../messages-api/shapes.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Qwen Code: `qwen -o stream-json …`, lines much like Claude's. */
export const qwen: Adapter = {
  id: 'qwen',
  label: 'Qwen Code',
  commands: ['qwen'],
  packages: ['@qwen-code/qwen-code'],
  detect: (record) => ('qwen_code_version' in record ? 3 : 0),
  flags: (args) =>
    isOtherCommand(args, OTHER_COMMANDS) || hasOption(args, '-o', '--output-format')
      ? []
      : ['--output-format', 'stream-json'],
  env: {},
  tells: {thinking: true, permissions: true, cost: false},
  exitCodes: {
    52: 'bad settings',
    53: 'turn limit reached',
    55: 'tool-call limit reached',
    130: 'interrupted',
  },
  kindOf,
  shapes,
  createTranslator,
}

/** What else the program can do; none of it prints events. */
const OTHER_COMMANDS = 'mcp extensions skills hooks auth'
