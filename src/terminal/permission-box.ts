import {formatAnswers, readQuestions, type UserAnswers} from '../core/events/question.ts'
import {summarize} from '../core/events/summarize.ts'
import {formatCount} from '../core/text/figures.ts'
import {firstLine, escapeControls} from '../core/text/text.ts'
import {textAt} from '../core/wire/json.ts'
import {describeCall} from './describe.ts'
import {formatElapsed} from '../core/text/figures.ts'
import {layOut, wrapAnywhere, wrapWords, type LineStyle, type ScreenStyle} from './layout.ts'
import {readPermissionInput, type InputLine} from './permission-input.ts'
import {formatNeedsYou, type RunStatus} from './status-line.ts'
import {textWidth} from './text-width.ts'

/** What somebody is asked, and what can be answered. */
export interface PermissionQuestion {
  request: {
    name: string
    input: unknown
    /** Why it is asked, in the agent's words. */
    reason?: string | undefined
    askedAt: number
  }
  /** The rule that would allow this and the like for the rest of the run, such as `Bash(npm run migrate:*)`. */
  rule?: string | undefined
  /** Why it is asked, in our words, the weightiest first: `no rule covers it`. */
  because?: readonly string[] | undefined
  status: RunStatus
  /**
   * How many rows the input may take.
   *
   * @defaultValue 20
   */
  maxInputRows?: number | undefined
}

/**
 * The rows that take the place of the status line while somebody is asked: what the agent wants to do, exactly, why
 * it is asked, and the keys that answer. What does not fit is counted, never left out in silence.
 */
export function formatPermission(question: PermissionQuestion, style: ScreenStyle): string[] {
  const {request, rule, because = [], status, maxInputRows = 20} = question
  const {lines, others, note} = readPermissionInput(request.input)
  const notes = [...new Set([clean(note), clean(request.reason ?? '')])].filter(Boolean)
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

/** Lines whole, in rows; those that go on are set in, so that nobody takes one line for two. */
function formatLines(lines: InputLine[], most: number, style: ScreenStyle): string[] {
  const {colors, symbols, width} = style
  const rows: string[] = []
  for (const [index, {sign, text}] of lines.entries()) {
    const lead = sign === undefined ? '' : `${sign} `
    const room = width - INDENT.length * 2 - lead.length
    const {rows: wrapped, rest} = wrapAnywhere(text, room, most - rows.length)
    const paint = sign === '-' ? colors.removed : colors.added
    for (const [part, row] of wrapped.entries()) {
      const signed = sign === undefined ? '' : part === 0 ? `${paint(sign)} ` : '  '
      const indent = part === 0 ? INDENT : INDENT + INDENT
      rows.push(row === '' && signed === '' ? '' : indent + signed + row)
    }
    const after = lines.length - index - 1
    if (rest > 0 && after === 0) return [...rows, hidden(formatCount(rest, 'more character'))]
    if (rest > 0) return [...rows, hidden(formatCount(after + 1, 'more line'))]
    if (rows.length >= most && after > 0) return [...rows, hidden(formatCount(after, 'more line'))]
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

/** Our reasons, as many as fit on a row; the first in any case. */
function fitBecause(because: readonly string[], style: ScreenStyle): string[] {
  if (because.length === 0) return []
  const choices = because.map((_, index) => {
    const told = because.slice(0, because.length - index).map(clean)
    return `Asked because ${told.join(' and ')}.`
  })
  const fits = (text: string) => textWidth(INDENT + text) <= style.width
  return wrapProse(choices.find(fits) ?? choices.at(-1) ?? '', style)
}

/** The keys on a row; where that is too narrow those that allow have a row each. */
function formatKeys(name: string, rule: string | undefined, style: ScreenStyle): string[] {
  const once = '[a] allow once'
  const always = rule === undefined ? [] : [`[A] allow "${bare(name, rule)}" for this run`]
  const rest = ['[d] deny', '[D] deny, say why', '[x] stop']
  const row = [once, ...always, ...rest].join('  ')
  const isWide = textWidth(INDENT + row) <= style.width
  const rows = isWide ? [row] : [once, ...always, rest.join('  ')]
  return rows.flatMap((text) => {
    const room = style.width - INDENT.length
    const fits = textWidth(text) <= room
    // A rule must be read whole by whoever agrees to it.
    const parts = fits ? [text] : wrapAnywhere(text, room, MAX_RULE_LENGTH).rows
    return parts.map((part) => INDENT + part)
  })
}

/** `npm run migrate:*` of `Bash(npm run migrate:*)`: the tool is named above. */
function bare(name: string, rule: string): string {
  const isNamed = rule.startsWith(`${name}(`) && rule.endsWith(')')
  return escapeControls(isNamed ? rule.slice(name.length + 1, -1) : rule)
}

/** An answer that was given. */
export interface PermissionAnswer {
  agent: string
  /** Who gave it; `mode` is what is done where no rule says otherwise, and after a `timeout` nobody did. */
  who: 'you' | 'rule' | 'mode' | 'dashboard' | 'timeout'
  allowed: boolean
  /** The rule that gave it. */
  rule?: string | undefined
  name: string
  input: unknown
  /** The answers, where it was a question to the user. */
  answers?: UserAnswers | undefined
  scope: 'once' | 'run'
  waitedMs: number
}

/** The line that stays of a question: who answered what, and how long that took. */
export function formatAnswer(answer: PermissionAnswer, style: LineStyle): string {
  const {agent, who, allowed, name, input, scope, waitedMs} = answer
  const {colors, symbols, width} = style
  const isQuestion = readQuestions({name, input}).length > 0
  const verb = isQuestion ? QUESTION_VERBS : PERMISSION_VERBS
  const said = `${allowed ? verb.yes : verb.no}${describeWho(answer, isQuestion)}`
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
  return layOut(
    {
      head: `${colors.frame(`[${agent}]`)} ${paint(said)}: `,
      body: clean(what),
      facts: facts.map((text) => ({text, color: colors.fact})),
    },
    {width, more: symbols.more},
  )
}

const PERMISSION_VERBS = {yes: 'Allowed', no: 'Denied'} as const
const QUESTION_VERBS = {yes: 'Answered', no: 'Not answered'} as const

/** The answers to a question, or what was asked. */
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
      return rule === undefined ? ' by rule' : ` by rule ${clean(rule)}`
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

/** A limit as it was given: few people say two minutes in seconds, but most say so of one. */
function formatLimit(ms: number): string {
  return ms < 100_000 ? `${Math.round(ms / 1000)}s` : formatElapsed(ms)
}

const MAX_TEXT_LENGTH = 1000

function clean(text: string): string {
  return escapeControls(firstLine(text.slice(0, MAX_TEXT_LENGTH)))
}
