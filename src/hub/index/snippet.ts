import {escapeControls} from '../../core/text/text.ts'
import {isRecord} from '../../core/wire/json.ts'
import {toPattern, type Term} from './terms.ts'

/** How many characters to show around a match. */
const BEFORE = 60
const LENGTH = 200

/** Fields of every message that are not worth searching. */
const FRAME = new Set(['type', 'workOrderId', 'runId', 'timestamp', 'toolUseId'])

/** How much text of a message is examined. */
const MAX_TEXT_LENGTH = 2000

/** The part of a message that contains the terms, on one line. */
export function cutSnippet(message: unknown, terms: readonly Term[]): string {
  const texts = listTexts(message).map((text) => text.slice(0, MAX_TEXT_LENGTH))
  for (const term of terms) {
    const pattern = toPattern(term)
    for (const text of texts) {
      const at = text.search(pattern)
      if (at !== -1) return cut(text, Math.max(at - BEFORE, 0))
    }
  }
  // Matched without accents, or by text that is not shown.
  return cut(texts.toSorted((a, b) => b.length - a.length)[0] ?? '', 0)
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(listTexts)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, field]) => (FRAME.has(key) ? [] : listTexts(field)))
}

function cut(text: string, from: number): string {
  const part = text.slice(from, from + LENGTH).replaceAll(/\s+/g, ' ')
  const before = from > 0 ? '…' : ''
  const after = from + LENGTH < text.length ? '…' : ''
  return `${before}${escapeControls(part.trim())}${after}`
}
