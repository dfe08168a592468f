import {escapeControls} from '../../../src/core/text/text.ts'
import {cutAt} from './lines.ts'

/**
 * Escapes agent text for several lines: newlines and tabs stay, and invisible characters that act or hide are
 * shown as `\u202e`. Joiners and variation selectors stay, as scripts and emoji need them.
 */
export function escapeControlsMultiline(text: string): string {
  if (PLAIN.test(text)) return text
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, showCharacter).replaceAll(PILED, '$1…')
}

/** Escapes a path or another name, for a line or a label. */
export function shortenName(name: string): string {
  return escapeControlsMultiline(cutAt(name, MAX_NAME))
}

const MAX_NAME = 300

const PLAIN = /^[\x20-\x7e\n\t]*$/

/** Controls except newline and tab, lone surrogates, bidi controls, zero-width characters, tags. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Surrogate}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/** Stacked accents would be painted over the lines above and below. */
const PILED = /(\p{M}{8})\p{M}+/gu

function showCharacter(character: string): string {
  const escaped = escapeControls(character)
  if (escaped !== character) return escaped
  const code = character.codePointAt(0) ?? 0
  const digits = code.toString(16).padStart(4, '0')
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`
}
