import type {Control, Decision, Rule} from '../../core/events/adapter.ts'
import type {PermissionEvent} from '../../core/events/events.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {readQuestions} from '../../core/events/question.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {formatRule} from '../../permissions/rules.ts'
import {findWords, isRun} from './arguments.ts'

/** Speaks with Claude Code on its stdin, as its SDK does. Seen with 1.0.128, 2.0.77, 2.1.197 and 2.1.325. */
export const control: Control = {
  prepare(args, deny = []) {
    const conflict = CONFLICTS.find(([isThere]) => isThere(args))
    if (conflict !== undefined) throw new Error(conflict[1])
    const [promptAt] = findWords(args)
    const rest = args.filter((_, index) => index !== promptAt)
    // Nothing need be kept from being read as an option any more.
    if (rest.at(-1) === '--') rest.pop()
    return {
      // In front, where no option before them can take them for its values.
      args: [...missingFlags(args), ...denyFlags(deny), ...rest],
      prompt: promptAt === undefined ? undefined : args[promptAt] || undefined,
    }
  },
  open(prompt) {
    const message = {role: 'user', content: prompt}
    return (
      toRequest('vitrine-initialize', 'initialize') +
      toLine({type: 'user', message, parent_tool_use_id: null, session_id: ''})
    )
  },
  answer(request, decision) {
    const {requestId} = request
    if (requestId === undefined) throw new TypeError('Only an event with a requestId is a request')
    const response = decision.allow
      ? // Versions before 2.1 refuse to go on without it.
        {behavior: 'allow', updatedInput: toUpdatedInput(request, decision)}
      : {behavior: 'deny', message: decision.message, interrupt: decision.stop ?? false}
    return toResponse({subtype: 'success', request_id: requestId, response})
  },
  refuse(record) {
    if (record['type'] !== 'control_request') return undefined
    const subtype = textAt(objectAt(record, 'request'), 'subtype')
    const id = textAt(record, 'request_id')
    if (id === undefined || subtype === 'can_use_tool') return undefined
    return toResponse({
      subtype: 'error',
      request_id: id,
      error: `Vitrine does not answer ${subtype}`,
    })
  },
  findCancelled: (record) =>
    record['type'] === 'control_cancel_request' ? textAt(record, 'request_id') : undefined,
}

/** The input that the tool gets; that of a question has the answers, by the text of the question. */
function toUpdatedInput(
  {name, input}: PermissionEvent,
  {input: changed, answers}: Decision & {allow: true},
): JsonObject {
  const given = changed ?? (isRecord(input) ? input : {})
  if (answers === undefined) return given
  const entries = readQuestions({name, input}).map(({text}, index) => [
    text,
    joinAnswers(answers[index] ?? []),
  ])
  return {...given, answers: Object.fromEntries(entries)}
}

/** As Claude joins the labels of a multi-select question: one that could be read as two is quoted. */
function joinAnswers(answers: readonly string[]): string {
  const [first = '', second] = answers
  if (second === undefined) return first
  return answers.map((text) => (/, |"/.test(text) ? JSON.stringify(text) : text)).join(', ')
}

/** Arguments with which it would not ask, or not here. */
const CONFLICTS: readonly [isThere: (args: readonly string[]) => boolean, sentence: string][] = [
  [
    (args) => !isRun(args),
    'These arguments of Claude start no run, so there is nothing to ask; do without --permissions',
  ],
  [
    (args) => hasOption(args, '--dangerously-skip-permissions'),
    'With --dangerously-skip-permissions Claude never asks; leave it out, or do without --permissions',
  ],
  [
    (args) =>
      ['bypassPermissions', 'dontAsk'].includes(optionValue(args, '--permission-mode') ?? ''),
    'In the permission modes bypassPermissions and dontAsk Claude never asks; choose another, or do without --permissions',
  ],
  [
    (args) => optionValue(args, '--permission-prompts') === 'none',
    'With --permission-prompts none Claude never asks; leave it out, or do without --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--permission-prompt-tool'), 'stdio'),
    'Claude can ask only one: leave --permission-prompt-tool out, or do without --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--input-format'), 'stream-json'),
    'Claude is answered with --input-format stream-json; leave the other format out, or do without --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--output-format'), 'stream-json'),
    'Claude asks with --output-format stream-json; leave the other format out, or do without --permissions',
  ],
]

function isOneOf(value: string | undefined, expected: string): boolean {
  return value === undefined || value === expected
}

function missingFlags(args: readonly string[]): string[] {
  return [
    ...(hasOption(args, '-p', '--print') ? [] : ['-p']),
    ...(hasOption(args, '--input-format') ? [] : ['--input-format', 'stream-json']),
    ...(hasOption(args, '--permission-prompt-tool') ? [] : ['--permission-prompt-tool', 'stdio']),
  ]
}

/** Each with its value in one, so that it takes no word after it. */
function denyFlags(rules: readonly Rule[]): string[] {
  return rules.flatMap((rule) => {
    const {tool, only} = rule
    // Its list of rules has no way to write these; they are denied when it asks.
    if (only !== undefined && /[()\n]/.test(only)) return []
    // For Claude `/x` is a path in the project, and `//x` one from the root.
    const own = only?.startsWith('/') && tool !== 'Bash' ? {tool, only: `/${only}`} : rule
    return [`--disallowedTools=${formatRule(own)}`]
  })
}

function toRequest(id: string, subtype: string): string {
  return toLine({type: 'control_request', request_id: id, request: {subtype}})
}

function toResponse(response: JsonObject): string {
  return toLine({type: 'control_response', response})
}

function toLine(record: JsonObject): string {
  return `${JSON.stringify(record)}\n`
}
