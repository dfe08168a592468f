import type {Adapter} from '../../core/events/adapter.ts'
import {createArgumentReader} from '../../core/events/arguments.ts'
import {hasOption} from '../../core/events/flags.ts'
import {isRecord, textAt} from '../../core/wire/json.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/** Codex CLI: `codex exec --json`, in the formats since 0.42 and before. */
export const codex: Adapter = {
  id: 'codex',
  label: 'Codex CLI',
  monogram: 'Cx',
  commands: ['codex'],
  packages: ['@openai/codex'],
  detect(record) {
    const {type} = record
    if (type === 'thread.started' && textAt(record, 'thread_id') !== undefined) return 2
    if (typeof type === 'string' && type.startsWith('item.') && isRecord(record['item'])) return 2
    if (type === 'turn.started' || type === 'turn.completed' || type === 'turn.failed') return 1
    if (type !== undefined) return 0
    if (textAt(record['msg'], 'type') !== undefined && 'id' in record) return 2
    if ('workdir' in record && 'provider' in record && 'sandbox' in record) return 2
    return 0
  },
  flags(args) {
    if (!reader.isRun(args)) return []
    const [first = -1] = reader.findWords(args)
    const format = hasOption(args, '--json', '--experimental-json') ? [] : ['--json']
    return args[first] === 'exec' || args[first] === 'e' ? format : ['exec', ...format]
  },
  printsText: (args) => !reader.isRun(args),
  findPrompt(args) {
    if (!reader.isRun(args)) return undefined
    const [first = '', ...words] = reader.findWords(args).map((at) => args[at] ?? '')
    // `codex exec resume <id> <prompt>`, or `--last <prompt>`.
    const isResumed = (first === 'exec' || first === 'e') && words[0] === 'resume'
    return isResumed ? words[args.includes('--last') ? 1 : 2] : reader.findPrompt(args)
  },
  reports: {thinking: true, permissions: false, cost: false},
  exitCodes: {2: 'wrong arguments', 101: 'crashed'},
  kindOf,
  shapes,
  createTranslator,
}

const reader = createArgumentReader({
  valued: `
    -c --config -m --model -C --cd -s --sandbox -a --ask-for-approval -p --profile --add-dir --enable --disable --remote
    -o --output-last-message --output-schema --color --local-provider --thread-source --cyber-access-program`,
  variadic: '-i --image',
  commands: 'exec e',
  otherCommands: `
    agents review login logout mcp mcp-server plugin app-server remote-control completion update doctor sandbox debug
    apply a resume queue archive delete migrate-rollouts migrate-nfs-db unarchive fork cloud exec-server features help`,
})
