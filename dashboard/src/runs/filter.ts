import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {describeState, endedBadly} from '../ui/state.ts'

/** One condition of a filter. */
export type FilterTerm = {isNegated: boolean} & (
  | {field: 'text' | 'agent' | 'dir' | 'model' | 'host' | 'order' | 'state'; text: string}
  | {field: 'cost' | 'turns' | 'tools'; compare: '<' | '>' | '='; value: number}
)

/**
 * Parses a filter such as `agent:claude dir:ledger cost:>1 -state:failed "two words"`. Other words are searched as
 * text.
 */
export function parseFilter(text: string): FilterTerm[] {
  const words = text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []
  return words.map(parseTerm).filter((term) => term !== undefined)
}

/** Whether a run meets all conditions. */
export function matchesFilter(run: RunSummary, terms: readonly FilterTerm[]): boolean {
  return terms.every((term) => matchesTerm(run, term) !== term.isNegated)
}

function parseTerm(given: string): FilterTerm | undefined {
  if (given === '-') return undefined
  const isNegated = given.startsWith('-')
  const word = given.slice(isNegated ? 1 : 0)
  const [, field = '', rest = ''] = /^([a-z]+):(.*)$/i.exec(word) ?? []
  const name = field.toLowerCase()
  const text = unquote(rest).toLowerCase()
  // While typing, a condition without a value matches everything.
  if (isTextField(name)) return text === '' ? undefined : {isNegated, field: name, text}
  if (isNumberField(name)) {
    if (text === '' || /^[<>=]$/.test(text)) return undefined
    const [, sign = '=', figure] = /^([<>=]?)=?\$?(\d+(?:\.\d+)?)$/.exec(text) ?? []
    const compare = sign === '<' || sign === '>' ? sign : '='
    if (figure !== undefined) return {isNegated, field: name, compare, value: Number(figure)}
  }
  const plain = unquote(word).toLowerCase()
  return plain === '' ? undefined : {isNegated, field: 'text', text: plain}
}

const TEXT_FIELDS = ['agent', 'dir', 'model', 'host', 'order', 'state'] as const
const NUMBER_FIELDS = ['cost', 'turns', 'tools'] as const

function isTextField(name: string): name is (typeof TEXT_FIELDS)[number] {
  return TEXT_FIELDS.some((field) => field === name)
}

function isNumberField(name: string): name is (typeof NUMBER_FIELDS)[number] {
  return NUMBER_FIELDS.some((field) => field === name)
}

function unquote(text: string): string {
  return text.replaceAll('"', '')
}

function matchesTerm(run: RunSummary, term: FilterTerm): boolean {
  switch (term.field) {
    case 'text':
      return [run.title, run.runId, run.cwd].some((text) => text.toLowerCase().includes(term.text))
    case 'agent':
      return (run.agent ?? '').toLowerCase().startsWith(term.text)
    case 'dir':
      return run.cwd.toLowerCase().includes(term.text)
    case 'model':
      return (run.model ?? '').toLowerCase().includes(term.text)
    case 'host':
      return (run.host ?? '').toLowerCase().includes(term.text)
    case 'order':
      return run.workOrderId.toLowerCase().includes(term.text)
    case 'state':
      return matchesState(run, term.text)
    case 'cost':
      return run.costUsd !== null && isWithin(run.costUsd, term)
    case 'turns':
      return isWithin(run.turns, term)
    case 'tools':
      return isWithin(run.toolCount, term)
    default:
      return term satisfies never
  }
}

/** Matches the displayed word, with or without hyphens; `failed` matches every run that did not end well. */
function matchesState(run: RunSummary, text: string): boolean {
  if (text === 'live') return run.state !== 'over'
  if (text === 'over' || text === 'ended') return run.state === 'over'
  if (text === 'waiting') return describeState(run).tone === 'wait'
  if (text === 'failed') return endedBadly(run)
  const plain = (word: string) => word.toLowerCase().replaceAll(/[^a-z]/g, '')
  const wanted = plain(text)
  const words = [describeState(run).word, run.verdict ?? '', run.waiting?.why ?? '']
  return words.some((word) => word !== '' && plain(word).startsWith(wanted))
}

function isWithin(
  figure: number,
  {compare: sign, value}: {compare: '<' | '>' | '='; value: number},
): boolean {
  if (sign === '<') return figure < value
  return sign === '>' ? figure > value : figure === value
}
