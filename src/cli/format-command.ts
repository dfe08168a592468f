import {cutText, makeHarmless} from '../core/text/text.ts'
import {maskSecretsIn} from '../secrets/mask-secrets.ts'

/** Nobody reads more of a prompt to see what was started. */
const MAX_CHARACTERS = 1000

/** A command in a line, quoted as a shell wants it, with nothing in it that a log should not hold. */
export function formatCommand(words: readonly string[]): string {
  const shown = maskSecretsIn([...words]).map((word) => quote(makeHarmless(word)))
  return cutText(shown.join(' '), MAX_CHARACTERS)
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
