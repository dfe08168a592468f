import {isRecord} from '../wire/json.ts'

/**
 * Extracts the answer of a run: the text of its last `result` line, else of the last `<response>…</response>`, else
 * `null`. The answer of a result without text (a failed turn) is `''`. Other text around it is ignored.
 *
 * @example
 * ```ts
 * extractResult('starting…\n{"type":"result","result":"done"}\n') // 'done'
 * ```
 */
export function extractResult(output: string): string | null {
  return findResultLine(output) ?? findResponse(output)
}

/** Whether the answer of a run equals the expected text, ignoring case and surrounding white space. */
export function isComplete(output: string, expected: string): boolean {
  const result = extractResult(output)
  return result !== null && isSameText(result.trim(), expected.trim())
}

/** Searches from the end: the last result is near it, and the output can have gigabytes. */
function findResultLine(output: string): string | undefined {
  let end = output.length
  while (end >= 0) {
    const start = end === 0 ? 0 : output.lastIndexOf('\n', end - 1) + 1
    const result = readResult(output.slice(start, end))
    if (result !== undefined) return result
    end = start - 1
  }
  return undefined
}

function readResult(line: string): string | undefined {
  if (!line.includes('"result"')) return undefined
  try {
    const value: unknown = JSON.parse(line.trim())
    // `--output-format json --verbose` prints the whole run as one array.
    const events: unknown[] = Array.isArray(value) ? value : [value]
    return events.map(resultOf).findLast((result) => result !== undefined)
  } catch {
    return undefined
  }
}

function resultOf(event: unknown): string | undefined {
  if (!isRecord(event) || event['type'] !== 'result') return undefined
  const result = event['result'] ?? ''
  return typeof result === 'string' ? result : undefined
}

function findResponse(output: string): string | null {
  const lastEnd = output.lastIndexOf('</response>')
  const start = lastEnd === -1 ? -1 : output.lastIndexOf('<response>', lastEnd)
  if (start === -1) return null
  return output.slice(start + '<response>'.length, output.indexOf('</response>', start))
}

/** Compares letter by letter as a case-insensitive regular expression does: `K` equals the Kelvin sign. */
function isSameText(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  const others = other[Symbol.iterator]()
  for (const letter of one) {
    const {value} = others.next()
    if (value === undefined || !isSameLetter(letter, value)) return false
  }
  return true
}

function isSameLetter(one: string, other: string): boolean {
  return (
    one === other ||
    one.toLowerCase() === other.toLowerCase() ||
    one.toUpperCase() === other.toUpperCase()
  )
}
