import {cutText, escapeControls} from '../core/text/text.ts'
import {maskSecretsIn} from '../secrets/mask-secrets.ts'

/** Nobody reads more of a prompt to see what was started. */
const MOST_CHARACTERS = 1000

/** A command in a line, quoted as a shell wants it, with nothing in it that a log should not hold. */
export function describeCommand(words: readonly string[]): string {
  const shown = maskSecretsIn([...words]).map((word) => quote(escapeControls(word)))
  return cutText(shown.join(' '), MOST_CHARACTERS)
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
