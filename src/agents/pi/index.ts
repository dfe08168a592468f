import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {optionValue} from '../../core/events/flags.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {isRecord, textAt} from '../../core/wire/json.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Pi: `pi --mode json …`. */
export const pi: Adapter = {
  id: 'pi',
  label: 'Pi',
  commands: ['pi'],
  packages: ['@mariozechner/pi-coding-agent'],
  detect(record) {
    const {type, message} = record
    if (type === 'session') {
      return 'version' in record && 'cwd' in record && textAt(record, 'id') !== undefined ? 2 : 0
    }
    if (typeof type !== 'string' || !shapes.has(type)) return 0
    if (type === 'message_update') return isRecord(record['assistantMessageEvent']) ? 2 : 0
    if (type.startsWith('message_')) {
      const isOurs =
        textAt(message, 'role') !== undefined && isRecord(message) && 'timestamp' in message
      return isOurs ? 2 : 0
    }
    if (type.startsWith('tool_execution_')) return 'toolCallId' in record ? 2 : 0
    return 1
  },
  flags: (args) => (optionValue(args, '--mode') === undefined ? ['--mode', 'json'] : []),
  printsText: (args) => !reader.isRun(args) || optionValue(args, '--mode') === 'text',
  findPrompt(args) {
    const words = reader.findWords(args).map((at) => args[at] ?? '')
    // `@notes.md` is a file for the prompt.
    return words.find((word) => word !== '' && !word.startsWith('@'))
  },
  env: {PI_SKIP_VERSION_CHECK: '1'},
  reports: {thinking: true, permissions: false, cost: true},
  exitCodes: {129: 'ended by SIGHUP', 143: 'ended by SIGTERM'},
  kindOf: kindByType,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 0.73.1.
  valued: `
    --provider --model --api-key --system-prompt --append-system-prompt --mode --session --fork --session-dir --models
    --tools -t --thinking --extension -e --skill --prompt-template --theme --export`,
  optional: '--list-models',
  flags: '-nt -nbt -ne -ns -np -nc',
})
