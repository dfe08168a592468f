import type {VerdictKind} from '../core/run/verdict.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import {STATE_WORDS, toStateKind, VERDICT_WORDS, type StateKind} from '../core/words/state-words.ts'
import type {Role} from './colors.ts'
import {VERDICT_SIGNS} from './summary.ts'
import type {Symbols} from './symbols.ts'

/** The facts that the state of a run in a list depends on. */
export interface ListedRun {
  verdict?: VerdictKind | undefined
  why?: WaitingKind | undefined
  isStuck?: boolean | undefined
}

/** Formats the state of a run for a list, with its sign and role: `▲ stuck`, `! needs you`, `✓ succeeded`. */
export function formatState(
  {verdict, why = 'starting', isStuck = false}: ListedRun,
  symbols: Symbols,
): {text: string; role: Role} {
  if (verdict !== undefined) {
    const {symbol, role} = VERDICT_SIGNS[verdict]
    return {text: `${symbols[symbol]} ${VERDICT_WORDS[verdict].toLowerCase()}`, role}
  }
  const state = isStuck ? 'stuck' : toStateKind(why)
  const word = SHORT_WORDS[state] ?? STATE_WORDS[state].toLowerCase()
  if (state === 'needs-you') return {text: `! ${word}`, role: 'needsYou'}
  const [symbol, role] = STATE_SIGNS[state] ?? ['waiting', 'waiting']
  return {text: `${symbols[symbol]} ${word}`, role}
}

/** The column of a list is narrow. */
const SHORT_WORDS: Readonly<Partial<Record<StateKind, string>>> = {'rate-limited': 'limited'}

const STATE_SIGNS: Readonly<Partial<Record<StateKind, readonly [keyof Symbols, Role]>>> = {
  starting: ['working', 'working'],
  working: ['working', 'working'],
  stuck: ['stuck', 'stuck'],
  retrying: ['retry', 'waiting'],
}
