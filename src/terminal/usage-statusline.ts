import {formatRemaining, formatShare} from '../core/text/figures.ts'
import {toCleanLine} from '../core/text/text.ts'
import type {Colors} from './colors.ts'
import type {Symbols} from './symbols.ts'

/** The facts of a status line. */
export interface StatusFacts {
  /** The id or name of the model. */
  model?: string | undefined
  /** The cost of the session, as the agent reports it. */
  sessionUsd?: number | undefined
  today?: TodayFacts | undefined
  block?: BlockFacts | undefined
  /** The used part of the context, from 0 to 1. */
  contextShare?: number | undefined
}

/** The cost of today. */
interface TodayFacts {
  costUsd: number
  isEstimate: boolean
  /** The budget of a day. */
  budgetUsd?: number | undefined
}

/** The current five-hour block. */
export interface BlockFacts {
  endsAt: number
  /** The used part of the limit, from 0 to 1. */
  usedShare?: number | undefined
}

interface StatuslineStyle {
  colors: Colors
  symbols: Symbols
  width: number
  now: number
}

/** A part of the line. */
interface Part {
  text: string
  /** The text if only two parts fit. */
  short?: string | undefined
  color?: ((text: string) => string) | undefined
}

const WARNING_SHARE = 0.8
const CRITICAL_SHARE = 0.95
const MAX_MODEL_LENGTH = 40

/** Formats one line about a session; empty without facts. Parts are dropped from the right until it fits. */
export function formatStatusline(facts: StatusFacts, style: StatuslineStyle): string {
  const parts = [
    describeModel(facts),
    describeSession(facts),
    describeToday(facts, style),
    describeBlock(facts, style),
    describeContext(facts, style),
  ].filter((part) => part !== undefined)
  const separator = ` ${style.symbols.dot} `
  for (let count = parts.length; count > 2; count--) {
    const shown = parts.slice(0, count)
    if (widthOf(shown, separator) <= style.width) return join(shown, separator)
  }
  const shown = parts.slice(0, 2)
  const isComplete = shown.length === parts.length && widthOf(shown, separator) <= style.width
  return join(isComplete ? shown : shown.map(shorten), separator)
}

function join(parts: readonly Part[], separator: string): string {
  return parts.map(({text, color}) => color?.(text) ?? text).join(separator)
}

/** Counts characters: the tables for wide ones take longer to load than everything else. */
function widthOf(parts: readonly Part[], separator: string): number {
  return Array.from(parts.map(({text}) => text).join(separator)).length
}

function shorten({text, short = text, color}: Part): Part {
  return {text: short, color}
}

function describeModel({model}: StatusFacts): Part | undefined {
  const name = toCleanLine(model ?? '', MAX_MODEL_LENGTH)
  // `claude-opus-4-5-20251101[1m]`
  const text = name.replace(/^claude-(?=.)/, '').replace(/(?:-20\d{6})?(?:\[\w+\])?$/, '')
  return text === '' ? undefined : {text}
}

function describeSession({sessionUsd}: StatusFacts): Part | undefined {
  if (sessionUsd === undefined) return undefined
  const short = formatDollars(sessionUsd)
  return {text: `${short} session`, short}
}

function describeToday({today}: StatusFacts, style: StatuslineStyle): Part | undefined {
  if (today === undefined) return undefined
  const {costUsd, isEstimate, budgetUsd} = today
  const text = `${isEstimate ? style.symbols.about : ''}${formatDollars(costUsd)}`
  const short = `${text} today`
  if (budgetUsd === undefined || costUsd / budgetUsd < WARNING_SHARE) return {text: short}
  const budget = formatDollars(budgetUsd).replace(/\.00$/, '')
  const color = colorOf(costUsd / budgetUsd, style)
  return {text: `${style.symbols.stuck} ${text} of ${budget} today`, color}
}

function describeBlock({block}: StatusFacts, style: StatuslineStyle): Part | undefined {
  if (block === undefined || block.endsAt <= style.now) return undefined
  const left = `block ${formatRemaining(block.endsAt - style.now)} left`
  return block.usedShare === undefined ? {text: left} : describeShare(left, block.usedShare, style)
}

function describeContext({contextShare}: StatusFacts, style: StatuslineStyle): Part | undefined {
  return contextShare === undefined ? undefined : describeShare('ctx', contextShare, style)
}

function describeShare(name: string, share: number, style: StatuslineStyle): Part {
  const text = `${name} ${formatShare(share)}`
  if (share < WARNING_SHARE) return {text}
  return {text: `${text} ${style.symbols.stuck}`, color: colorOf(share, style)}
}

function colorOf(share: number, {colors}: StatuslineStyle): (text: string) => string {
  return share < CRITICAL_SHARE ? colors.waiting : colors.bad
}

/** Formats dollars like other views, without `Intl`, which takes longer to load than everything else. */
export function formatDollars(usd: number): string {
  const digits = usd >= 100 ? 0 : usd > 0 && usd < 0.01 ? 4 : 2
  return `$${usd.toFixed(digits).replaceAll(/\B(?=(?:\d{3})+$)/g, digits === 0 ? ',' : '')}`
}
