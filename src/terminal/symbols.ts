import type {Environment} from './colors.ts'

/** The signs of the terminal views. */
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

/** Signs for terminals with UTF-8. */
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

/** Signs for terminals without UTF-8. */
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

/** Whether a terminal shows UTF-8: yes, unless its locale has another encoding. */
export function wantsUnicode({LC_ALL, LC_CTYPE, LANG}: Environment): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale === undefined || /utf-?8/i.test(locale)
}
