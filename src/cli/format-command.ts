import {cutText, escapeControls} from '../core/text/text.ts'
import {maskSecretsIn} from '../secrets/mask-secrets.ts'

/** A longer command is cut: prompts can be very long. */
const MAX_CHARACTERS = 1000

/** Formats a command on one line, quoted for a shell, with secrets masked. */
export function formatCommand(words: readonly string[]): string {
  const shown = maskSecretsIn([...words]).map((word) => quote(escapeControls(word)))
  return cutText(shown.join(' '), MAX_CHARACTERS)
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
