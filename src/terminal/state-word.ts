import type {VerdictKind} from '../core/run/verdict.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import type {Role} from './colors.ts'
import {SIGNS} from './status-line.ts'
import {VERDICTS} from './summary.ts'
import type {Symbols} from './symbols.ts'

/** A run in a list: how it ended, or what it does. */
export interface ListedRun {
  verdict?: VerdictKind | undefined
  why?: WaitingKind | undefined
  isStuck?: boolean | undefined
}

/** The state of a run in a word, with its sign and its role: `▲ stuck`, `! needs you`, `✓ succeeded`. */
export function stateWord(
  {verdict, why = 'starting', isStuck = false}: ListedRun,
  symbols: Symbols,
): {text: string; role: Role} {
  if (verdict !== undefined) {
    const {word, symbol, role} = VERDICTS[verdict]
    return {text: `${symbols[symbol]} ${word.toLowerCase()}`, role}
  }
  if (isStuck) return {text: `${symbols.stuck} stuck`, role: 'stuck'}
  if (why === 'waiting-for-permission') return {text: '! needs you', role: 'needsYou'}
  const [symbol, role] = SIGNS[why]
  return {text: `${symbols[symbol]} ${WORDS[why] ?? 'working'}`, role}
}

const WORDS: Readonly<Partial<Record<WaitingKind, string>>> = {
  'api-retry': 'retrying',
  'rate-limited': 'limited',
  compacting: 'compacting',
  hook: 'hook',
  background: 'background',
  scheduled: 'scheduled',
  'queued-input': 'queued',
  finishing: 'finishing',
  silent: 'silent',
  idle: 'idle',
  suspended: 'suspended',
  lingering: 'lingering',
}
