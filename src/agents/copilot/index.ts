import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {optionValue} from '../../core/events/flags.ts'
import {kindByType} from '../../core/events/shapes.ts'
import {isRecord, numberAt, textAt} from '../../core/wire/json.ts'
import {shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** GitHub Copilot CLI: `copilot -p … --output-format json`. */
export const copilot: Adapter = {
  id: 'copilot',
  label: 'GitHub Copilot CLI',
  monogram: 'Cp',
  commands: ['copilot'],
  packages: ['@github/copilot'],
  detect(record) {
    if (record['type'] === 'result') {
      const isOurs = textAt(record, 'sessionId') !== undefined && isRecord(record['usage'])
      return isOurs && numberAt(record['usage'], 'premiumRequests') !== undefined ? 3 : 0
    }
    if (!isRecord(record['data'])) return 0
    const isKnown = shapes.has(kindByType(record))
    if ('parentId' in record && 'timestamp' in record) return isKnown ? 2 : 1
    return isKnown ? 1 : 0
  },
  flags: (args) =>
    optionValue(args, '--output-format') === undefined ? ['--output-format', 'json'] : [],
  printsText: (args) => !reader.isRun(args) || optionValue(args, '--output-format') === 'text',
  findPrompt: (args) => reader.findPrompt(args),
  promptOption: '-p',
  env: {COPILOT_AUTO_UPDATE: 'false'},
  reports: {thinking: true, permissions: true, cost: false},
  kindOf: kindByType,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  // As of 1.0.102.
  valued: `
    --model --reasoning-effort --context --auto-tier --agent -n --name --session-id -C --log-dir --extension-sdk-path
    --log-level --stream --output-format --add-dir --attachment --disable-mcp-server --add-github-mcp-toolset
    --add-github-mcp-tool --plugin-dir --additional-mcp-config --mcp-github-auth --max-autopilot-continues --mode
    --environment-host --environment-compute-id --dynamic-retrieval --enable-mcp-server --max-ai-credits
    --usage-output-file`,
  optional: '-r --resume --connect --share --bash-env --mouse',
  variadic: `
    --allow-tool --deny-tool --available-tools --excluded-tools --secret-env-vars --allow-url --deny-url`,
  prompt: '-p --prompt -i --interactive',
})
