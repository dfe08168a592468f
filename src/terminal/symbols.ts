import type {Environment} from './colors.ts'

/** The signs of the terminal views, with UTF-8 and without. */
const SIGNS = {
  good: ['✓', '+'],
  bad: ['✗', 'x'],
  working: ['●', '*'],
  retry: ['↻', '~'],
  waiting: ['◔', 'o'],
  idle: ['○', 'o'],
  stuck: ['▲', '!'],
  stopped: ['■', '#'],
  none: ['–', '-'],
  rule: ['─', '-'],
  bar: ['│', '|'],
  more: ['…', '...'],
  minus: ['−', '-'],
  arrow: ['→', '->'],
  dot: ['·', '-'],
  about: ['≈', '~'],
  atMost: ['≤', '<='],
} as const

/** The signs of the terminal views. */
export type Symbols = Readonly<Record<keyof typeof SIGNS, string>>

/** Signs for terminals with UTF-8. */
export const unicode: Symbols = pickSigns(0)

/** Signs for terminals without UTF-8. */
export const ascii: Symbols = pickSigns(1)

function pickSigns(column: 0 | 1): Symbols {
  const signs = Object.entries(SIGNS).map(([name, forms]) => [name, forms[column]])
  return Object.fromEntries(signs) as Symbols
}

/** Whether a terminal shows UTF-8: yes, unless its locale has another encoding. */
export function wantsUnicode({LC_ALL, LC_CTYPE, LANG}: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale === undefined || /utf-?8/i.test(locale)
}
