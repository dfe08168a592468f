/** The colour of each part of the output, from the sixteen of the terminal's own palette. */
const CODES = {
  frame: '2',
  tool: '36',
  task: '35',
  fact: '2',
  working: '94',
  waiting: '33',
  needsYou: '1;30;43',
  stuck: '1;97;41',
  bad: '1;31',
  good: '32',
  number: '1',
  /** Bold and underlined. */
  match: '1;4',
  added: '32',
  removed: '31',
} as const

/** The role of a part of the output, which decides its colour. */
export type Role = keyof typeof CODES

/** A style for each role. */
export type Colors = Readonly<Record<Role, (text: string) => string>>

/** No colours. */
export const plain: Colors = createColors(() => (text) => text)

/** The sixteen colours of the terminal's own palette. */
export const colored: Colors = createColors((code) => (text) => `\u001b[${code}m${text}\u001b[0m`)

function createColors(toStyle: (code: string) => Colors[Role]): Colors {
  const styles = Object.entries(CODES).map(([role, code]) => [role, toStyle(code)])
  return Object.fromEntries(styles) as Colors
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
