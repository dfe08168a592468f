import type {Environment} from './colors.ts'

/** The signs that are not letters. */
export type Symbols = Readonly<Record<'bad' | 'bar' | 'more' | 'minus' | 'arrow' | 'dot', string>>

/** For terminals that show UTF-8. */
export const unicode: Symbols = {bad: '✗', bar: '│', more: '…', minus: '−', arrow: '→', dot: '·'}

/** For all others. */
export const ascii: Symbols = {bad: 'x', bar: '|', more: '...', minus: '-', arrow: '->', dot: '-'}

/** Whether a terminal shows UTF-8: yes, unless its locale says something else. */
export function wantsUnicode({LC_ALL, LC_CTYPE, LANG}: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale === undefined || /utf-?8/i.test(locale)
}
