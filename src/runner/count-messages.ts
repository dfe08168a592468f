import {readFileSync} from 'node:fs'
import {isRecord} from '../core/wire/json.ts'
import {sizeOf} from '../recording/completeness.ts'

const MAX_INPUT_BYTES = 64 * 1024 * 1024

/**
 * Counts the user messages in a file with the input of an agent if it is a stream of JSON records, as in `--input-
 * format stream-json`; 0 for other text.
 */
export function countMessages(path: string): number {
  const size = sizeOf(path)
  if (size === 0 || size > MAX_INPUT_BYTES) return 0
  try {
    const lines = readFileSync(path, 'utf8').split('\n')
    const records = lines
      .filter((line) => line.trim() !== '')
      .map((line): unknown => JSON.parse(line))
    if (!records.every(isRecord)) return 0
    return records.filter(({type}) => type === 'user').length
  } catch {
    return 0
  }
}
