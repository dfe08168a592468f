import type {Environment} from './colors.ts'

/** The signs that are not letters. */
export type Symbols = Readonly<
  Record<
    | 'good'
    | 'bad'
    | 'working'
    | 'retry'
    | 'waiting'
    | 'stuck'
    | 'stopped'
    | 'rule'
    | 'bar'
    | 'more'
    | 'minus'
    | 'arrow'
    | 'dot'
    | 'about'
    | 'atMost',
    string
  >
>

/** For terminals that show UTF-8. */
export const unicode: Symbols = {
  good: '✓',
  bad: '✗',
  working: '●',
  retry: '↻',
  waiting: '◔',
  stuck: '▲',
  stopped: '■',
  rule: '─',
  bar: '│',
  more: '…',
  minus: '−',
  arrow: '→',
  dot: '·',
  about: '≈',
  atMost: '≤',
}

/** For all others. */
export const ascii: Symbols = {
  good: '+',
  bad: 'x',
  working: '*',
  retry: '~',
  waiting: 'o',
  stuck: '!',
  stopped: '#',
  rule: '-',
  bar: '|',
  more: '...',
  minus: '-',
  arrow: '->',
  dot: '-',
  about: '~',
  atMost: '<=',
}

/** Whether a terminal shows UTF-8: yes, unless its locale says something else. */
export function wantsUnicode({LC_ALL, LC_CTYPE, LANG}: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale === undefined || /utf-?8/i.test(locale)
}
