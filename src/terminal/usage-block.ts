import {formatRemaining, formatShare} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import {joinSegments, joinSides, type ScreenStyle} from './layout.ts'
import type {Symbols} from './symbols.ts'
import {createTokenFormat, formatCost, formatTokenCount, usageSignsFor} from './usage-figures.ts'
import {formatDate} from './usage-notes.ts'

/** A block of five hours. */
export interface ShownBlock {
  from: number
  to: number
  isOpen: boolean
  tokens: number
  costUsd: number | null
  isEstimate: boolean
  projectedUsd: number | null
  burnUsdPerHour: number | null
  burnTokensPerMinute: number | null
  usedShare: number | null
  reportedAt: number | null
  models: readonly {model: string; costUsd: number | null}[]
}

/** The time, and the local time of the report. */
export interface BlockClock {
  now: number
  /** The local day: `2026-11-16`. */
  dayAt(at: number): string
  /** The local time of day: `15:06`. */
  clockAt(at: number): string
}

const LABEL_WIDTH = 15
const MAX_BAR_WIDTH = 40
/** The columns beside a bar: label, percentage and the age of a report. */
const BAR_MARGIN = LABEL_WIDTH + 25
const MAX_MODELS = 4
const TABLE_WIDTHS = [27, 8, 10, 3] as const

/** Formats the open block and the ones before it, the newest first. */
export function formatUsageBlocks(
  blocks: readonly ShownBlock[],
  clock: BlockClock,
  style: ScreenStyle,
): string[] {
  const open = blocks.find(({isOpen}) => isOpen)
  const earlier = blocks.filter((block) => block.to <= clock.now)
  const head =
    open === undefined ? [describeNoBlock(earlier[0], clock)] : formatOpenBlock(open, clock, style)
  if (earlier.length === 0) return head
  return [...head, '', ...formatEarlier(earlier, clock, style)]
}

function describeNoBlock(last: ShownBlock | undefined, {now, dayAt, clockAt}: BlockClock): string {
  if (last === undefined) return 'No block is open.'
  const day = dayAt(last.to) === dayAt(now) ? '' : `${formatDate(dayAt(last.to))} `
  return `No block is open. The last one ended at ${day}${clockAt(last.to)}.`
}

function formatOpenBlock(block: ShownBlock, clock: BlockClock, style: ScreenStyle): string[] {
  const {now} = clock
  const {symbols, colors} = style
  const {from, to, usedShare, reportedAt, projectedUsd, burnUsdPerHour, models, isEstimate} = block
  const cost = (costUsd: number | null) => formatCost({costUsd, isEstimate}, symbols)
  const left = [{text: label('Current block')}, {text: formatRange(block, clock)}]
  const lines = [joinSides(left, [{text: `${formatRemaining(to - now)} left`}], style)]
  const line = (name: string, text: string) =>
    lines.push(
      joinSegments([{text: label(name)}, {text: escapeControls(text)}], style.width, symbols.more),
    )
  line('Time', formatBar((now - from) / (to - from), style))
  if (usedShare !== null && reportedAt !== null) {
    const age = now - reportedAt < 60_000 ? 'now' : `${formatRemaining(now - reportedAt)} ago`
    const bar = `${label('Limit')}${formatBar(usedShare, style)}  reported ${age}`
    lines.push(usedShare >= 0.95 ? colors.bad(bar) : usedShare >= 0.8 ? colors.waiting(bar) : bar)
  }
  line(
    'Spend',
    projectedUsd === null
      ? cost(block.costUsd)
      : `${cost(block.costUsd)}  at the end ${cost(projectedUsd)}`,
  )
  const tokens = `${formatTokenCount(block.burnTokensPerMinute ?? 0)} tokens/min (last 30m)`
  line('Burn rate', burnUsdPerHour === null ? tokens : `${cost(burnUsdPerHour)}/h, ${tokens}`)
  const shown = models
    .slice(0, MAX_MODELS)
    .map((item) => `${shortenModel(item.model)} ${cost(item.costUsd)}`)
  const rest = models.length - shown.length
  line('Models', [...shown, ...(rest > 0 ? [`+${rest}`] : [])].join(', '))
  const prediction = predictLimit(block, clock)
  return prediction === undefined ? lines : [...lines, '', prediction]
}

/** Predicts how much of the limit will be used, or when it will be reached. */
function predictLimit(block: ShownBlock, {now, clockAt}: BlockClock): string | undefined {
  const {usedShare, costUsd, projectedUsd, burnUsdPerHour, to} = block
  if (usedShare === null || !costUsd || projectedUsd === null || !burnUsdPerHour) return undefined
  const share = (usedShare * projectedUsd) / costUsd
  if (share < 1) return `At this rate the block ends at ${formatShare(share)} of the limit.`
  if (usedShare >= 1) return `The limit is reached. It is reset at ${clockAt(to)}.`
  const hours = ((1 - usedShare) * costUsd) / usedShare / burnUsdPerHour
  return `At this rate the limit is reached at ${clockAt(now + hours * 3_600_000)}.`
}

function formatEarlier(
  blocks: readonly ShownBlock[],
  clock: BlockClock,
  {symbols, width}: ScreenStyle,
): string[] {
  const formatTokens = createTokenFormat(blocks.map(({tokens}) => tokens))
  const rows = [
    ['BLOCK', 'TOKENS', 'COST', 'LIMIT'],
    ...blocks.map((block) => [
      `${formatDate(clock.dayAt(block.from))} ${formatRange(block, clock)}`,
      formatTokens(block.tokens),
      formatCost(block, symbols),
      block.usedShare === null ? 'not reported' : formatShare(block.usedShare),
    ]),
  ]
  const [first, tokens, cost, gap] = TABLE_WIDTHS
  return rows.map(([name = '', count = '', usd = '', limit = '']) =>
    joinSegments(
      [
        {
          text:
            name.padEnd(first) +
            count.padStart(tokens) +
            usd.padStart(cost) +
            ' '.repeat(gap) +
            limit,
        },
      ],
      width,
      symbols.more,
    ),
  )
}

/** Formats the times of a block: `10:00 to 15:00`; midnight is the end of its day. */
function formatRange({from, to}: ShownBlock, {clockAt}: BlockClock): string {
  const end = clockAt(to)
  return `${clockAt(from)} to ${end === '00:00' ? '24:00' : end}`
}

function formatBar(share: number, {symbols, width}: {symbols: Symbols; width: number}): string {
  const {full, empty} = usageSignsFor(symbols)
  const size = Math.max(4, Math.min(MAX_BAR_WIDTH, width - BAR_MARGIN))
  const filled = Math.round(Math.min(1, Math.max(0, share)) * size)
  return `${full.repeat(filled)}${empty.repeat(size - filled)}  ${formatShare(share)}`
}

function label(name: string): string {
  return name.padEnd(LABEL_WIDTH)
}

/** Formats the name of a model without the vendor that it repeats: `opus-5-5`. */
export function shortenModel(model: string): string {
  return model === '' ? 'unknown' : model.replace(/^claude-(?=.)/, '')
}
