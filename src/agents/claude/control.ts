import type {Control, Decision, Rule} from '../../core/events/adapter.ts'
import type {PermissionEvent} from '../../core/events/events.ts'
import {hasOption, optionValue} from '../../core/events/flags.ts'
import {readQuestions} from '../../core/events/question.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {formatRule} from '../../permissions/rules.ts'
import {findWords, isRun} from './arguments.ts'

/** The control channel of Claude Code, as its SDK uses it. Tested with 1.0.128, 2.0.77, 2.1.197 and 2.1.325. */
export const control: Control = {
  prepare(args, deny = []) {
    const conflict = CONFLICTS.find(([isPresent]) => isPresent(args))
    if (conflict !== undefined) throw new Error(conflict[1])
    const [promptAt] = findWords(args)
    const rest = args.filter((_, index) => index !== promptAt)
    // Without the prompt nothing follows the separator.
    if (rest.at(-1) === '--') rest.pop()
    return {
      // In front, so that no variadic option consumes them.
      args: [...missingFlags(args), ...denyFlags(deny), ...rest],
      prompt: promptAt === undefined ? undefined : args[promptAt] || undefined,
    }
  },
  open(prompt) {
    const request = {subtype: 'initialize'}
    const message = {role: 'user', content: prompt}
    return (
      toLine({type: 'control_request', request_id: 'vitrine-initialize', request}) +
      toLine({type: 'user', message, parent_tool_use_id: null, session_id: ''})
    )
  },
  answer(request, decision) {
    const {requestId} = request
    if (requestId === undefined) throw new TypeError('Only an event with a requestId is a request')
    const response = decision.allow
      ? // Versions before 2.1 require it.
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
      error: `Vitrine does not support ${subtype}`,
    })
  },
  findCancelled: (record) =>
    record['type'] === 'control_cancel_request' ? textAt(record, 'request_id') : undefined,
}

/** The input for the tool; that of a question contains the answers, by the text of the question. */
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

/** Joins the answers to a multi-select question like Claude Code: an ambiguous one is quoted. */
function joinAnswers(answers: readonly string[]): string {
  const [first = '', second] = answers
  if (second === undefined) return first
  return answers.map((text) => (/, |"/.test(text) ? JSON.stringify(text) : text)).join(', ')
}

/** Arguments with which Claude Code would not request permissions, or not on stdin. */
const CONFLICTS: readonly [isPresent: (args: readonly string[]) => boolean, message: string][] = [
  [
    (args) => !isRun(args),
    '--permissions has no effect: claude does not start a run with these arguments. Remove it',
  ],
  [
    (args) => hasOption(args, '--dangerously-skip-permissions'),
    'claude does not ask for permission with --dangerously-skip-permissions. Remove it, or remove --permissions',
  ],
  [
    (args) =>
      ['bypassPermissions', 'dontAsk'].includes(optionValue(args, '--permission-mode') ?? ''),
    'claude does not ask for permission in the modes bypassPermissions and dontAsk. Use another --permission-mode, or remove --permissions',
  ],
  [
    (args) => optionValue(args, '--permission-prompts') === 'none',
    'claude does not ask for permission with --permission-prompts none. Remove it, or remove --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--permission-prompt-tool'), 'stdio'),
    '--permissions needs --permission-prompt-tool stdio. Remove your --permission-prompt-tool, or remove --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--input-format'), 'stream-json'),
    '--permissions needs --input-format stream-json. Remove your --input-format, or remove --permissions',
  ],
  [
    (args) => !isOneOf(optionValue(args, '--output-format'), 'stream-json'),
    '--permissions needs --output-format stream-json. Remove your --output-format, or remove --permissions',
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

/** Options joined with their values, so that they consume no argument after them. */
function denyFlags(rules: readonly Rule[]): string[] {
  return rules.flatMap((rule) => {
    const {tool, only} = rule
    // Rules of Claude Code cannot express these; they are denied on request.
    if (only !== undefined && /[()\n]/.test(only)) return []
    // For Claude Code `/x` is a path in the project, and `//x` an absolute path.
    const own = only?.startsWith('/') && tool !== 'Bash' ? {tool, only: `/${only}`} : rule
    return [`--disallowedTools=${formatRule(own)}`]
  })
}

function toResponse(response: JsonObject): string {
  return toLine({type: 'control_response', response})
}

function toLine(record: JsonObject): string {
  return `${JSON.stringify(record)}\n`
}
