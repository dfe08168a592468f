import {isRecord, numberAt, optionValue, textAt, type Adapter} from '../../core/index.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** GitHub Copilot CLI: `copilot -p … --output-format json`. */
export const copilot: Adapter = {
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  commands: ['copilot'],
  packages: ['@github/copilot'],
  detect(record) {
    if (record['type'] === 'result') {
      const isOurs = textAt(record, 'sessionId') !== undefined && isRecord(record['usage'])
      return isOurs && numberAt(record['usage'], 'premiumRequests') !== undefined ? 3 : 0
    }
    if (!isRecord(record['data'])) return 0
    const isKnown = shapes.has(kindOf(record))
    if ('parentId' in record && 'timestamp' in record) return isKnown ? 2 : 1
    return isKnown ? 1 : 0
  },
  flags: (args) =>
    optionValue(args, '--output-format') === undefined ? ['--output-format', 'json'] : [],
  env: {COPILOT_AUTO_UPDATE: 'false'},
  tells: {thinking: true, permissions: true, cost: false},
  exitCodes: {},
  kindOf,
  shapes,
  createTranslator,
}
