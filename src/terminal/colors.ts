/** The role of a part of the output, which decides its colour. */
export type Role =
  | 'frame'
  | 'tool'
  | 'task'
  | 'fact'
  | 'working'
  | 'waiting'
  | 'needsYou'
  | 'stuck'
  | 'bad'
  | 'good'
  | 'number'
  | 'added'
  | 'removed'

/** A style for each role. */
export type Colors = Readonly<Record<Role, (text: string) => string>>

const sgr = (code: string) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
const same = (text: string) => text

/** No colours. */
export const plain: Colors = {
  frame: same,
  tool: same,
  task: same,
  fact: same,
  working: same,
  waiting: same,
  needsYou: same,
  stuck: same,
  bad: same,
  good: same,
  number: same,
  added: same,
  removed: same,
}

/** The sixteen colours of the terminal's own palette. */
export const colored: Colors = {
  frame: sgr('2'),
  tool: sgr('36'),
  task: sgr('35'),
  fact: sgr('2'),
  working: sgr('94'),
  waiting: sgr('33'),
  needsYou: sgr('1;30;43'),
  stuck: sgr('1;97;41'),
  bad: sgr('1;31'),
  good: sgr('32'),
  number: sgr('1'),
  added: sgr('32'),
  removed: sgr('31'),
}

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Whether to use colour: NO_COLOR decides first, then FORCE_COLOR, then whether the output is a terminal. */
export function wantsColor(env: Environment, isTTY: boolean): boolean {
  const {NO_COLOR, FORCE_COLOR, TERM} = env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0'
  return isTTY && TERM !== 'dumb'
}
