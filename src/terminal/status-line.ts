import {
  describeTool as describeOpenTool,
  type OpenToolState,
  type RunState,
} from '../core/run/run-state.ts'
import type {Waiting} from '../core/run/waiting.ts'
import {
  formatClock,
  formatCount,
  formatElapsed,
  formatMoney,
  formatRemaining,
} from '../core/text/figures.ts'
import {escapeControls, toCleanLine} from '../core/text/text.ts'
import {formatAttempt, STATE_WORDS, WAITING_WORDS} from '../core/words/state-words.ts'
import type {Role} from './colors.ts'
import {describeInput, nameTool} from './describe.ts'
import {
  cutToWidth,
  formatRule,
  joinSides,
  NARROW_WIDTH,
  type Segment,
  type ScreenStyle,
} from './layout.ts'
import type {Symbols} from './symbols.ts'
import {textWidth} from './text-width.ts'

/** The facts that the status line shows. Unknown facts are left out. */
export interface RunStatus {
  state: RunState
  waiting: Waiting
  now: number
  startedAt: number
  costUsd?: number | undefined
  /** Whether the agent has not reported the cost yet. */
  isEstimate: boolean
  maxCostUsd?: number | undefined
  /** Time that the process may stay alive after its last turn. */
  lingerMs?: number | undefined
  /** The usual duration of the running tool. */
  usualMs?: number | undefined
  /** Present while the run counts as stuck, with facts such as `process alive, 0% CPU, no child`. */
  stuck?: {facts: string} | undefined
}

/** Formats the two rows at the bottom of the screen, a rule and the status. Neither is wider than the screen. */
export function formatStatus(status: RunStatus, style: ScreenStyle): string[] {
  const {state, waiting, now, startedAt, stuck} = status
  const {colors, symbols, hasColor} = style
  const [request] = state.openRequests
  if (waiting.why === 'waiting-for-permission') {
    const name = request?.name ?? waiting.detail
    return formatNeedsYou({name, askedAt: waiting.since}, status, style)
  }
  // The start of a wait may be unknown, and is never before the start of the run.
  const since = Math.max(waiting.since, startedAt)
  const phrases = (PHRASES[waiting.why] ?? describeWord)(status, now - since)
  if (stuck === undefined) {
    const [symbol, role] = SIGNS[waiting.why] ?? ['waiting', 'waiting']
    return formatRows(`${symbols[symbol]} `, phrases, colors[role], status, style)
  }
  const lead = hasColor ? `${symbols.stuck} ` : `${symbols.stuck} STUCK: `
  const short = phrases.at(-1) ?? {head: ''}
  const facts = escapeControls(stuck.facts)
  const detailed = facts === '' ? [] : [{...short, tail: `${short.tail ?? ''}, ${facts}`}]
  return formatRows(lead, [...detailed, short], colors.stuck, status, style)
}

/** Formats the two rows during a permission request. */
export function formatNeedsYou(
  {name, askedAt}: {name: string; askedAt: number},
  status: RunStatus,
  style: ScreenStyle,
): string[] {
  const {colors, hasColor} = style
  const badge = hasColor ? ' NEEDS YOU ' : '>> NEEDS YOU '
  const ago = formatElapsed(status.now - Math.max(askedAt, status.startedAt))
  const word = escapeControls(nameTool({name, tool: 'Other'}))
  const others = status.state.openRequests.length - 1
  const more = others > 0 ? ` +${others}` : ''
  const asked = style.width < NARROW_WIDTH ? ago : `asked ${ago} ago`
  const phrases = [{head: ' ', body: word, tail: `, ${asked}${more}`}]
  const paint = (text: string) =>
    text.startsWith(badge)
      ? colors.needsYou(badge) + text.slice(badge.length)
      : colors.needsYou(text)
  return formatRows(badge, phrases, paint, status, style)
}

/** A phrase of which only the body may be cut. */
interface Phrase {
  head: string
  body?: string | undefined
  tail?: string | undefined
}

/** The sign and the role of each waiting kind; the others have the sign for waiting. */
const SIGNS: Readonly<Partial<Record<Waiting['why'], readonly [keyof Symbols, Role]>>> = {
  starting: ['working', 'working'],
  writing: ['working', 'working'],
  thinking: ['working', 'working'],
  'waiting-for-tool': ['working', 'working'],
  'api-retry': ['retry', 'waiting'],
}

type Describe = (status: RunStatus, ms: number) => Phrase[]

/** The phrases for each waiting kind, the longest first; the others have their word and the time. */
const PHRASES: Readonly<Partial<Record<Waiting['why'], Describe>>> = {
  writing: ({waiting}) => [{head: nameWaiting(waiting)}],
  'waiting-for-tool': describeTool,
  'api-retry': describeRetry,
  'rate-limited': describeLimit,
  hook: describeAbout,
  background: describeAbout,
  scheduled: describeWakeUp,
  'queued-input': ({waiting}, ms) => [
    {head: `${toCleanLine(waiting.detail)}${after(ms)}`},
    {head: `Waiting for answers${after(ms)}`},
  ],
  finishing: describeAbout,
  suspended: (status, ms) => [...describeWord(status, ms), {head: STATE_WORDS.suspended}],
  lingering: ({waiting, lingerMs}, ms) => {
    const of = lingerMs === undefined ? '' : ` of ${formatElapsed(lingerMs)}`
    return [nameWaiting(waiting), STATE_WORDS.lingering].map((word) => ({
      head: `${word} ${formatElapsed(ms)}${of}`,
    }))
  },
}

function describeWord({waiting}: RunStatus, ms: number): Phrase[] {
  return [{head: nameWaiting(waiting) + after(ms)}]
}

function describeAbout({waiting}: RunStatus, ms: number): Phrase[] {
  return [{head: `${nameWaiting(waiting)}: `, body: toCleanLine(waiting.detail), tail: after(ms)}]
}

function nameWaiting({why}: Waiting): string {
  const word = WAITING_WORDS[why]
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function describeWakeUp({waiting: {detail, until}, now}: RunStatus): Phrase[] {
  const left = until === undefined ? '' : ` in ${formatRemaining(until - now)}`
  const about = toCleanLine(detail)
  const short = {head: `Wakes up${left}`}
  return about === '' ? [short] : [{head: `Wakes up${left}: `, body: about}, short]
}

function describeTool({state, waiting, usualMs}: RunStatus, ms: number): Phrase[] {
  const tool = findWaitedTool(state, waiting)
  const {word, summary} = nameWaitedTool(tool, waiting, state.cwd)
  const others = countOthers(state, tool)
  const more = others === 0 ? '' : ` +${others}`
  const named = summary === '' ? {head: word} : {head: `${word}: `, body: summary}
  const usual = usualMs === undefined ? '' : `, usually ${formatUsual(usualMs)}`
  const short = {...named, tail: after(ms) + describeSubAgent(state, tool) + more}
  return usual === '' || ms < MIN_SHOWN_MS
    ? [short]
    : [{...named, tail: `${after(ms)}${usual}${more}`}, short]
}

/** The number of tools of a sub-agent: the only progress of one whose steps are not in the stream. */
function describeSubAgent({subAgents}: RunState, tool: OpenToolState | undefined): string {
  const {toolCount = 0} = subAgents.findLast(({toolId}) => toolId === tool?.toolId) ?? {}
  return toolCount === 0 ? '' : `, ${formatCount(toolCount, 'tool')}`
}

/** Finds the tool that a run waits for. */
export function findWaitedTool(
  {openTools}: RunState,
  {detail, since}: Waiting,
): OpenToolState | undefined {
  return openTools.find((tool) => tool.startedAt === since && describeOpenTool(tool) === detail)
}

/** Names the tool that a run waits for, with a summary of its input. */
export function nameWaitedTool(
  tool: OpenToolState | undefined,
  {detail}: Waiting,
  cwd?: string,
): {word: string; summary: string} {
  if (tool !== undefined) {
    return {word: escapeControls(nameTool(tool)), summary: toCleanLine(describeInput(tool, cwd))}
  }
  const [name = '', ...rest] = toCleanLine(detail).split(': ')
  return {word: nameTool({name, tool: 'Other'}), summary: rest.join(': ')}
}

/** Counts the other running tools. A sub-agent that waits for a tool of its own does not count. */
function countOthers({openTools}: RunState, shown: OpenToolState | undefined): number {
  const parents = new Set(openTools.map(({parentToolId}) => parentToolId))
  const busy = openTools.filter(({toolId}) => !parents.has(toolId) && toolId !== shown?.toolId)
  return shown === undefined ? Math.max(0, busy.length - 1) : busy.length
}

function describeRetry({waiting, now}: RunStatus): Phrase[] {
  const {until, detail} = waiting
  const head = `${nameWaiting(waiting)} ${formatAttempt(waiting, '/')}`.trim()
  const tail =
    until === undefined || until <= now ? '' : `, next in ${formatRemaining(until - now)}`
  const error = toCleanLine(detail)
  return error === ''
    ? [{head, tail}]
    : [
        {head: `${head}: `, body: error, tail},
        {head, tail},
      ]
}

const DAY_MS = 86_400_000

function describeLimit(status: RunStatus, ms: number): Phrase[] {
  const {waiting, now} = status
  const {until} = waiting
  if (until === undefined) return describeWord(status, ms)
  const word = nameWaiting(waiting)
  const left = formatRemaining(until - now)
  // A time of day is ambiguous when it is on another day.
  if (until - now >= DAY_MS) {
    return [{head: `${word}, goes on by itself in ${left}`}, {head: `${word}, on in ${left}`}]
  }
  const head = `${word} until ${formatClock(until)}`
  return [{head: `${head}, goes on by itself in ${left}`}, {head}]
}

/** Shorter durations are not shown. */
const MIN_SHOWN_MS = 1000

function after(ms: number): string {
  return ms < MIN_SHOWN_MS ? '' : ` ${formatElapsed(ms)}`
}

function formatUsual(ms: number): string {
  return ms < MIN_SHOWN_MS ? 'less than 1s' : formatElapsed(ms)
}

function formatRows(
  lead: string,
  phrases: Phrase[],
  paint: (text: string) => string,
  status: RunStatus,
  style: ScreenStyle,
): string[] {
  const right = pickFacts(status, style)
  const taken = right === '' ? 0 : textWidth(right) + 2
  const text = fitPhrase(lead, phrases, style.width - taken, style.symbols.more)
  const facts: Segment[] = [{text: right, color: style.colors.fact}]
  return [formatRule(style), joinSides([{text, color: paint}], facts, style)]
}

/** Minimum width of a cut body; with less, a shorter phrase is used. */
const MIN_BODY_WIDTH = 20
/** Minimum width of a cut body before a duration; with less, the duration is dropped. */
const MIN_STUB_WIDTH = 4

function fitPhrase(lead: string, phrases: Phrase[], room: number, more: string): string {
  const left = ({head, tail = ''}: Phrase) => room - textWidth(lead + head + tail)
  const fits = (phrase: Phrase) => textWidth(phrase.body ?? '') <= left(phrase)
  const readable = (phrase: Phrase) => phrase.body !== undefined && left(phrase) >= MIN_BODY_WIDTH
  const phrase = phrases.find((each) => fits(each) || readable(each)) ?? phrases.at(-1)
  if (phrase === undefined) return ''
  const {head, body = '', tail = ''} = phrase
  if (fits(phrase)) return lead + head + body + tail
  const kept = left(phrase)
  if (body === '' || kept < MIN_STUB_WIDTH) return cutToWidth(lead + head + body, room, more)
  return lead + head + cutToWidth(body, kept, more) + tail
}

/** Minimum width for the phrase beside each choice of facts, from all facts to none. */
const MIN_WIDTHS = [34, 34, 34, 24, 14, 8, 0]

/**
 * Picks the facts at the right. The choice depends on the width of the screen, not on the phrase, so that the facts do
 * not move when the phrase changes.
 */
function pickFacts(status: RunStatus, {symbols, width}: ScreenStyle): string {
  const {state, now, startedAt, costUsd, isEstimate, maxCostUsd} = status
  const turns = state.turns > 1 ? [`turn ${state.turns}`] : []
  const done = state.plan.filter(({status: step}) => step === 'completed').length
  const plan = state.plan.length === 0 ? [] : [`${done}/${state.plan.length}`]
  const planned = plan.map((text) => `plan ${text}`)
  const cost =
    costUsd === undefined ? [] : [(isEstimate ? symbols.about : '') + formatMoney(costUsd)]
  const budget =
    maxCostUsd === undefined ? cost : cost.map((text) => `${text} of ${formatMoney(maxCostUsd)}`)
  const time = formatElapsed(now - startedAt)
  const choices = [
    [...turns, ...planned, ...budget, time],
    [...planned, ...budget, time],
    [...planned, ...cost, time],
    [...plan, ...cost, time],
    [...cost, time],
    [time],
  ].map((parts) => parts.join(` ${symbols.dot} `))
  const fitting = choices.find(
    (text, index) => width - textWidth(text) - 2 >= (MIN_WIDTHS[index] ?? 0),
  )
  return fitting ?? ''
}
