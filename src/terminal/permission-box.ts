import {formatAnswers, readQuestions, type UserAnswers} from '../core/events/question.ts'
import {summarize} from '../core/events/summarize.ts'
import {formatCount, formatElapsed} from '../core/text/figures.ts'
import {escapeControls, toCleanLine} from '../core/text/text.ts'
import {textAt} from '../core/wire/json.ts'
import {describeCall} from './describe.ts'
import {layOutLine, wrapAnywhere, wrapWords, type LineStyle, type ScreenStyle} from './layout.ts'
import {readPermissionInput, type InputLine} from './permission-input.ts'
import {formatNeedsYou, type RunStatus} from './status-line.ts'
import {textWidth} from './text-width.ts'

/** A permission request and the possible answers. */
export interface PermissionQuestion {
  request: {
    name: string
    input: unknown
    /** The reason that the agent gives. */
    reason?: string | undefined
    askedAt: number
  }
  /** A rule that would allow this and similar calls for the rest of the run, such as `Bash(npm run migrate:*)`. */
  rule?: string | undefined
  /** Our reasons for the request, the most important first: `no rule covers it`. */
  because?: readonly string[] | undefined
  status: RunStatus
  /**
   * Maximum number of rows of the input.
   *
   * @defaultValue 20
   */
  maxInputRows?: number | undefined
}

/**
 * Formats the rows that replace the status line during a permission request: the exact input, the reasons and the keys.
 * Input that does not fit is counted, never dropped silently.
 */
export function formatPermission(question: PermissionQuestion, style: ScreenStyle): string[] {
  const {request, rule, because = [], status, maxInputRows = 20} = question
  const {lines, others, note} = readPermissionInput(request.input)
  const notes = [...new Set([toCleanLine(note), toCleanLine(request.reason ?? '')])].filter(Boolean)
  const reasons = [
    ...notes.flatMap((text) => wrapProse(text, style)),
    ...fitBecause(because, style),
  ]
  return [
    ...formatNeedsYou(request, status, style),
    '',
    ...formatLines(lines, Math.max(1, maxInputRows), style),
    ...formatLines(toLines(others), MAX_OTHERS, style),
    '',
    ...(reasons.length === 0 ? [] : [...reasons, '']),
    ...formatKeys(request.name, rule, style),
  ]
}

const INDENT = '  '
const MAX_OTHERS = 5
const MAX_PROSE_ROWS = 3
const MAX_RULE_LENGTH = 20

function toLines(texts: string[]): InputLine[] {
  return texts.map((text) => ({text}))
}

/** Formats lines in full, in rows. Continuation rows are indented, so that one line does not look like two. */
function formatLines(lines: InputLine[], maxRows: number, style: ScreenStyle): string[] {
  const {colors, symbols, width} = style
  const rows: string[] = []
  for (const [index, {sign, text}] of lines.entries()) {
    const lead = sign === undefined ? '' : `${sign} `
    const room = width - INDENT.length * 2 - lead.length
    const {rows: wrapped, rest} = wrapAnywhere(text, room, maxRows - rows.length)
    const paint = sign === '-' ? colors.removed : colors.added
    for (const [part, row] of wrapped.entries()) {
      const signed = sign === undefined ? '' : part === 0 ? `${paint(sign)} ` : '  '
      const indent = part === 0 ? INDENT : INDENT + INDENT
      rows.push(row === '' && signed === '' ? '' : indent + signed + row)
    }
    const after = lines.length - index - 1
    if (rest > 0 && after === 0) return [...rows, hidden(formatCount(rest, 'more character'))]
    if (rest > 0) return [...rows, hidden(formatCount(after + 1, 'more line'))]
    if (rows.length >= maxRows && after > 0)
      return [...rows, hidden(formatCount(after, 'more line'))]
  }
  return rows

  function hidden(what: string): string {
    const [row = ''] = wrapAnywhere(`${symbols.more} ${what}`, width - INDENT.length, 1).rows
    return INDENT + colors.waiting(row)
  }
}

function wrapProse(text: string, {width, symbols}: ScreenStyle): string[] {
  const room = width - INDENT.length
  return wrapWords(text, room, MAX_PROSE_ROWS, symbols.more).map((row) => INDENT + row)
}

/** Formats as many of our reasons as fit on a row, at least the first. */
function fitBecause(because: readonly string[], style: ScreenStyle): string[] {
  if (because.length === 0) return []
  const choices = because.map((_, index) => {
    const shown = because.slice(0, because.length - index).map((text) => toCleanLine(text))
    return `Asked because ${shown.join(' and ')}.`
  })
  const fits = (text: string) => textWidth(INDENT + text) <= style.width
  return wrapProse(choices.find(fits) ?? choices.at(-1) ?? '', style)
}

/** Formats the keys on one row; on a narrow screen the keys that allow have a row each. */
function formatKeys(name: string, rule: string | undefined, style: ScreenStyle): string[] {
  const once = '[a] allow once'
  const always = rule === undefined ? [] : [`[A] allow "${stripToolName(name, rule)}" for this run`]
  const rest = ['[d] deny', '[D] deny, say why', '[x] stop']
  const row = [once, ...always, ...rest].join('  ')
  const isWide = textWidth(INDENT + row) <= style.width
  const rows = isWide ? [row] : [once, ...always, rest.join('  ')]
  return rows.flatMap((text) => {
    const room = style.width - INDENT.length
    const fits = textWidth(text) <= room
    // The user must be able to read the complete rule.
    const parts = fits ? [text] : wrapAnywhere(text, room, MAX_RULE_LENGTH).rows
    return parts.map((part) => INDENT + part)
  })
}

/** Returns `npm run migrate:*` of `Bash(npm run migrate:*)`; the tool is named above. */
function stripToolName(name: string, rule: string): string {
  const isNamed = rule.startsWith(`${name}(`) && rule.endsWith(')')
  return escapeControls(isNamed ? rule.slice(name.length + 1, -1) : rule)
}

/** An answer to a permission request. */
export interface PermissionAnswer {
  agent: string
  /** The source of the answer; `mode` is the default when no rule matches, `timeout` the default without an answer. */
  who: 'you' | 'rule' | 'mode' | 'dashboard' | 'timeout'
  allowed: boolean
  /** The rule that matched. */
  rule?: string | undefined
  name: string
  input: unknown
  /** The answers to a question of the agent. */
  answers?: UserAnswers | undefined
  scope: 'once' | 'run'
  waitedMs: number
}

/** Formats the line that remains of a request: the answer, its source and how long it took. */
export function formatAnswer(answer: PermissionAnswer, style: LineStyle): string {
  const {agent, who, allowed, name, input, scope, waitedMs} = answer
  const {colors} = style
  const isQuestion = readQuestions({name, input}).length > 0
  const verb = isQuestion ? QUESTION_VERBS : PERMISSION_VERBS
  const answered = `${allowed ? verb.yes : verb.no}${describeWho(answer, isQuestion)}`
  const isCommand = textAt(input, 'command') !== undefined
  const what = isQuestion
    ? describeAnswers(answer)
    : isCommand
      ? summarize('Bash', input)
      : describeCall(name, input)
  const isAsked = who === 'you' || who === 'dashboard'
  const facts = isAsked
    ? [...(allowed && !isQuestion ? [SCOPES[scope]] : []), `waited ${formatElapsed(waitedMs)}`]
    : []
  const paint = allowed ? colors.good : colors.bad
  return layOutLine(
    {
      head: `${colors.frame(`[${agent}]`)} ${paint(answered)}: `,
      body: toCleanLine(what),
      facts: facts.map((text) => ({text, color: colors.fact})),
    },
    style,
  )
}

const PERMISSION_VERBS = {yes: 'Allowed', no: 'Denied'} as const
const QUESTION_VERBS = {yes: 'Answered', no: 'Not answered'} as const

/** The answers to a question, or the question itself. */
function describeAnswers({name, input, answers}: PermissionAnswer): string {
  const questions = readQuestions({name, input})
  if (answers !== undefined) return formatAnswers(questions, answers).replaceAll(/\s+/g, ' ')
  return questions.map(({text}) => text).join(' ')
}

const SCOPES = {once: 'once', run: 'for this run'} as const

function describeWho(
  {who, rule, allowed, waitedMs}: PermissionAnswer,
  isQuestion: boolean,
): string {
  switch (who) {
    case 'you':
      return ' by you'
    case 'dashboard':
      return ' from the dashboard'
    case 'rule':
      return rule === undefined ? ' by rule' : ` by rule ${toCleanLine(rule)}`
    case 'mode':
      if (isQuestion) return ', only --permissions ask asks the user'
      return allowed ? ' by --permissions allow' : ', no rule allows it'
    case 'timeout':
      return `: no answer in ${formatLimit(waitedMs)}`
    default:
      who satisfies never
      return ''
  }
}

/** Formats a limit as users write it: in seconds under 100 s. */
function formatLimit(ms: number): string {
  return ms < 100_000 ? `${Math.round(ms / 1000)}s` : formatElapsed(ms)
}
