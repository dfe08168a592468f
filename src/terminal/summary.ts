import type {RunResult} from '../core/run/run-result.ts'
import type {Verdict, VerdictKind} from '../core/run/verdict.ts'
import {
  formatCount,
  formatDuration,
  formatElapsed,
  formatMoment,
  formatMoney,
} from '../core/text/figures.ts'
import {toCleanLine} from '../core/text/text.ts'
import {describeVerdict, VERDICT_WORDS} from '../core/words/state-words.ts'
import type {Role} from './colors.ts'
import {
  cutToWidth,
  formatRule,
  joinSegments,
  joinSides,
  NARROW_WIDTH,
  widthOf,
  type Segment,
  type ScreenStyle,
} from './layout.ts'
import {unicode, type Symbols} from './symbols.ts'
import {textWidth} from './text-width.ts'

/** Further facts for the summary. */
export interface SummaryOptions {
  maxCostUsd?: number | undefined
  /** Whether the agent committed its changes, if that is known. */
  isCommitted?: boolean | undefined
  /** Commands to run next, such as `vitrine view 7f3a`; as many as fit on a line are shown. */
  hints?: readonly string[] | undefined
}

/** Formats the last lines of a run on a screen: verdict, figures, changed files and next commands. */
export function formatSummary(
  result: RunResult,
  options: SummaryOptions,
  style: ScreenStyle,
): string[] {
  const {width, symbols} = style
  const details = result.verdict === 'succeeded' ? describeSuccess : describeTrouble
  return [
    formatRule(style),
    formatHeadline(result, options, style),
    ...details(result, options, style).map((segments) =>
      joinSegments([{text: INDENT}, ...segments], width, symbols.more),
    ),
    ...formatHints(options.hints ?? [], style),
  ]
}

/** Formats the summary on one line for a log: `Succeeded: $1.52, 2 turns, 19m 30s, 4 files +97 -8`. */
export function formatSummaryLine(result: RunResult, symbols: Symbols = unicode): string {
  const {verdict, durationMs, fileCount} = result
  const cost = formatCost(result, symbols)
  const facts = [
    ...(isInReason(cost, result) ? [] : [cost]),
    ...turnParts(result),
    formatDuration(durationMs),
    ...(fileCount === 0
      ? []
      : [[formatCount(fileCount, 'file'), ...formatLineCounts(result, '-')].join(' ')]),
  ]
  if (verdict === 'succeeded') {
    return [`${VERDICT_WORDS[verdict]}: ${facts.join(', ')}`, ...evidenceOf(result)].join('; ')
  }
  return [describeEnd(result), ...facts].join(', ')
}

/** Describes the verdict with the last evidence: `Failed: API error 529, 10 of 10 tries used`. */
export function describeEnd(result: RunResult): string {
  return [formatVerdict(result), ...evidenceOf(result).slice(-1)].join(', ')
}

/** The sign and the role of each verdict. */
export const VERDICT_SIGNS: Readonly<Record<VerdictKind, {symbol: keyof Symbols; role: Role}>> = {
  succeeded: {symbol: 'good', role: 'good'},
  failed: {symbol: 'bad', role: 'bad'},
  stopped: {symbol: 'stopped', role: 'waiting'},
  truncated: {symbol: 'bad', role: 'bad'},
  'timed-out': {symbol: 'bad', role: 'bad'},
  'over-budget': {symbol: 'bad', role: 'bad'},
  stuck: {symbol: 'bad', role: 'bad'},
}

const INDENT = '  '

/** Formats the verdict with its reason: `Failed: API error 529`, `Stopped by you`. */
export function formatVerdict({verdict, reason}: RunResult): string {
  return describeVerdict(verdict, toCleanLine(reason))
}

function formatHeadline(result: RunResult, options: SummaryOptions, style: ScreenStyle): string {
  const {colors, symbols, width} = style
  const {verdict, costUsd, durationMs} = result
  const {symbol, role} = VERDICT_SIGNS[verdict]
  const cost = formatCost(result, symbols)
  const {maxCostUsd} = options
  const isCostly =
    verdict === 'over-budget' &&
    costUsd !== null &&
    maxCostUsd !== undefined &&
    costUsd > maxCostUsd
  // The final cost may be higher than the cost at the time of the stop.
  const reason = isCostly ? `${cost} of ${formatMoney(maxCostUsd)}` : result.reason
  const head = formatVerdict({...result, reason})
  const money: Segment[] = isInReason(cost, {verdict, reason})
    ? []
    : [{text: cost, color: costUsd === null ? colors.fact : colors.number}]
  const turns = turnParts(result).map((text) => ({text, color: colors.fact}))
  const time = {text: formatDuration(durationMs), color: colors.fact}
  const separator = {text: ` ${symbols.dot} `, color: colors.fact}
  const choices = [[...money, ...turns, time], [...money, time], [time], []].map((parts) =>
    parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part])),
  )
  const left = `${symbols[symbol]} ${head}`
  const roomBeside = (right: Segment[]) => width - (right.length === 0 ? 0 : widthOf(right) + 2)
  const right =
    choices.find(
      (each) => roomBeside(each) >= textWidth(left) || roomBeside(each) >= MIN_HEAD_WIDTH,
    ) ?? []
  const shown = cutToWidth(left, roomBeside(right), symbols.more)
  const marked = `${symbols[symbol]} ${VERDICT_WORDS[verdict]}`
  const isMarked = shown.startsWith(marked)
  const segments = isMarked
    ? [{text: marked, color: colors[role]}, {text: shown.slice(marked.length)}]
    : [{text: shown, color: colors[role]}]
  return joinSides(segments, right, style)
}

/** Minimum width of the headline; with less, facts are dropped. */
const MIN_HEAD_WIDTH = 24

/** Formats the cost of a run, if it is known. */
export function formatCost({costUsd, isEstimate}: RunResult, symbols: Symbols): string {
  if (costUsd === null) return 'cost unknown'
  return (isEstimate ? symbols.about : '') + formatMoney(costUsd)
}

/** Whether the reason contains the cost already. */
function isInReason(cost: string, {verdict, reason}: Verdict): boolean {
  // A reason may have an estimate without its sign.
  const bare = (text: string) => text.replace(/^[^$\w]/, '')
  return verdict === 'over-budget' && bare(reason).startsWith(bare(cost))
}

function turnParts({turns}: RunResult): string[] {
  return turns === 0 ? [] : [formatCount(turns, 'turn')]
}

function describeSuccess(
  result: RunResult,
  _: SummaryOptions,
  {colors, symbols, width}: ScreenStyle,
): Segment[][] {
  const {fileCount, toolCount, failedToolCount, isEstimate, estimateUsd, costUsd} = result
  const isNarrow = width < NARROW_WIDTH
  const changed = isNarrow ? '' : ' changed'
  const files = describeFiles()
  const tools = [
    ...(toolCount === 0 ? [] : [formatCount(toolCount, 'tool')]),
    ...(failedToolCount === 0
      ? []
      : [`${failedToolCount} failed ${isNarrow ? 'on' : 'along'} the way`]),
  ]
  const rest = tools
    .map((text, index) => (files.length + index === 0 ? text : `, ${text}`))
    .join('')
  const line = [...files, {text: isNarrow || files.length + tools.length === 0 ? rest : `${rest}.`}]
  const hasEstimate =
    estimateUsd !== null &&
    costUsd !== null &&
    !isEstimate &&
    formatMoney(estimateUsd) !== formatMoney(costUsd)
  const estimate = hasEstimate ? ` Estimate was ${formatMoney(estimateUsd)}.` : ''
  const room = width - INDENT.length - widthOf(line)
  if (!isNarrow && textWidth(estimate) <= room) line.push({text: estimate})
  const more = sentences([...evidenceOf(result), ...endingParts(result)])
  return more === '' ? [line] : [line, [{text: more}]]

  function describeFiles(): Segment[] {
    if (fileCount === 0) return result.isWatched ? [{text: 'No files changed'}] : []
    return [
      {text: formatCount(fileCount, 'file') + changed},
      ...formatCountSegments(result, colors, symbols),
    ]
  }
}

function describeTrouble(
  result: RunResult,
  {isCommitted}: SummaryOptions,
  {colors, symbols, width}: ScreenStyle,
): Segment[][] {
  const room = width - INDENT.length
  const story = fitStory(result, room)
  const {fileCount} = result
  if (fileCount === 0) return story === '' ? [] : [[{text: story}]]
  const kept = [
    {text: `${formatCount(fileCount, 'file')} changed and kept`},
    ...formatCountSegments(result, colors, symbols),
  ]
  const committed = isCommitted === false ? [{text: ', nothing committed'}] : []
  const files = [...kept, ...(width < NARROW_WIDTH ? [] : committed), {text: '.'}]
  if (story === '') return [files]
  const both = [{text: `${story} `}, ...files]
  if (widthOf(both) <= room) return [both]
  return [[{text: story}], width < NARROW_WIDTH ? kept : files]
}

/** Describes the end in sentences, with as much evidence as fits; the last evidence is kept. */
function fitStory(result: RunResult, room: number): string {
  const evidence = evidenceOf(result)
  const stories = [0, ...evidence.keys()].map((from) => describeStory(result, evidence.slice(from)))
  return stories.find((story) => textWidth(story) <= room) ?? stories.at(-1) ?? ''
}

/** Describes the end of a run that did not succeed, in sentences. */
export function describeStory(result: RunResult, evidence: string[] = evidenceOf(result)): string {
  const {verdict, exitCode, lines, reason} = result
  const details = evidence.join('; ')
  const all = `${reason} ${details}`
  const code = exitCode === null || /\bexit\b/i.test(all) ? undefined : exitCode
  const ending = /\b(?:politely|killed)\b/i.test(all) ? [] : endingParts(result)
  if (verdict === 'truncated') {
    if (code === undefined) return sentences([details, ...ending])
    const but = details === '' ? ` after ${formatCount(lines, 'line')}` : `, but ${details}`
    return sentences([`Exit ${code}${but}`, ...ending])
  }
  const hasLast = verdict === 'timed-out' || verdict === 'stuck'
  const lastSeen = hasLast && !/last seen/i.test(all) ? toCleanLine(result.lastSeen) : ''
  return sentences([
    lastSeen === '' ? '' : `Last seen: ${lastSeen}`,
    details,
    // The exit code of an agent that was stopped has no meaning.
    verdict === 'failed' && code !== undefined ? `Agent exit code ${code}` : '',
    ...ending,
  ])
}

/** Describes how Vitrine ended the process, if it did. */
function endingParts({ended, verdict}: RunResult): string[] {
  if (ended === undefined) return []
  const {signal, afterMs, wasForced} = ended
  const isStop = verdict === 'stopped'
  if (wasForced)
    return [`${isStop ? 'The agent was killed' : 'Killed'} after ${formatElapsed(afterMs)}`]
  const word = isStop ? 'The agent ended' : verdict === 'succeeded' ? 'Ended' : 'Stopped'
  return [`${word} politely (${toCleanLine(signal)}, ${formatMoment(afterMs)})`]
}

function sentences(texts: string[]): string {
  return texts
    .filter((text) => text !== '')
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
    .join(' ')
}

function evidenceOf({evidence}: RunResult): string[] {
  return evidence.map((text) => toCleanLine(text).replace(/\.$/, '')).filter((text) => text !== '')
}

/** Formats the numbers of added and removed lines; zeros are left out. */
export function formatLineCounts({added, removed}: RunResult, minus: string): string[] {
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`${minus}${removed}`] : [])]
}

function formatCountSegments(
  result: RunResult,
  colors: ScreenStyle['colors'],
  {minus}: Symbols,
): Segment[] {
  return formatLineCounts(result, minus).flatMap((text) => [
    {text: ' '},
    {text, color: text.startsWith('+') ? colors.added : colors.removed},
  ])
}

/** The column of the second hint, so that the hints of all runs are aligned. */
const HINT_COLUMN = 29

function formatHints(hints: readonly string[], {colors, symbols, width}: ScreenStyle): string[] {
  let line = ''
  for (const hint of hints.map((text) => toCleanLine(text))) {
    const gap = line === '' ? '' : ' '.repeat(Math.max(2, HINT_COLUMN - textWidth(line)))
    if (line !== '' && textWidth(INDENT + line + gap + hint) > width) break
    line += gap + hint
  }
  if (line === '') return []
  return [joinSegments([{text: INDENT}, {text: line, color: colors.fact}], width, symbols.more)]
}
