import {formatCount} from '../core/text/figures.ts'
import {cutText, escapeControls} from '../core/text/text.ts'
import type {Colors, Role} from './colors.ts'
import type {Symbols} from './symbols.ts'

/** A check of `vitrine doctor`. */
export interface Check {
  /** Checks without a group come first. */
  group?: string | undefined
  name: string
  /** `none`: there is nothing to check. */
  state: CheckState
  text: string
  /** What to do, such as `Run: vitrine archive`. */
  fix?: string | undefined
}

type CheckState = 'pass' | 'warning' | 'fail' | 'none'

interface CheckStyle {
  colors: Colors
  symbols: Symbols
  width?: number | undefined
}

const SIGNS: Readonly<Record<CheckState, {sign: keyof Symbols; role: Role}>> = {
  pass: {sign: 'good', role: 'good'},
  warning: {sign: 'stuck', role: 'waiting'},
  fail: {sign: 'bad', role: 'bad'},
  none: {sign: 'none', role: 'frame'},
}

const MIN_NAME_WIDTH = 16
const DEFAULT_WIDTH = 80
const GAP = 2

/** Formats checks by group, and how many of them passed. */
export function formatChecks(checks: readonly Check[], style: CheckStyle): string {
  const nameWidth = Math.max(MIN_NAME_WIDTH, ...checks.map(({name}) => name.length + GAP))
  const groups = [...new Set(checks.map(({group}) => group))]
  const blocks = groups.map((group) => {
    const lines = checks
      .filter((check) => check.group === group)
      .map((check) => formatCheck(check, nameWidth, style))
    return `${group === undefined ? '' : `${group}\n`}${lines.join('')}`
  })
  return `${blocks.join('\n')}\n${summarize(checks)}\n`
}

function formatCheck(
  {name, state, text, fix}: Check,
  nameWidth: number,
  style: CheckStyle,
): string {
  const {colors, symbols, width = DEFAULT_WIDTH} = style
  const {sign, role} = SIGNS[state]
  const indent = symbols[sign].length + 1 + nameWidth
  const start = `${colors[role](symbols[sign])} ${escapeControls(name).padEnd(nameWidth)}`
  const facts = escapeControls(text)
  if (fix === undefined) return `${start}${cutToWidth(facts, indent, style)}\n`
  const remedy = escapeControls(fix)
  const line = `${facts}. ${remedy}`
  if (indent + line.length <= width) return `${start}${line}\n`
  return `${start}${cutToWidth(facts, indent, style)}\n${' '.repeat(indent)}${remedy}\n`
}

/** Only a terminal has a width. */
function cutToWidth(text: string, indent: number, {width}: CheckStyle): string {
  return width === undefined ? text : cutText(text, Math.max(1, width - indent))
}

function summarize(checks: readonly Check[]): string {
  const count = (wanted: CheckState) => checks.filter(({state}) => state === wanted).length
  const all = formatCount(checks.length - count('none'), 'check')
  const warnings = formatCount(count('warning'), 'warning')
  return `${all}: ${count('pass')} passed, ${warnings}, ${count('fail')} failed`
}
