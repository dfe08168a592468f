import {makeHarmless, toText} from '../core/index.ts'
import {once} from 'node:events'
import {
  colored,
  createFormatter,
  plain,
  unicode,
  ascii,
  wantsColor,
  wantsUnicode,
  type Formatter,
} from '../terminal/index.ts'

/** Writes to stdout, and waits when whoever reads it is slower. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Writes a remark of Vitrine's own to stderr; names of files in it may hold anything. */
export function remark(text: string): void {
  process.stderr.write(`vitrine: ${makeHarmless(text)}\n`)
}

/** A value as a line of JSON that no terminal obeys: what it would, besides the usual, is escaped. */
export function jsonLine(value: object): string {
  return `${toJson(value).replaceAll(UNSAFE, escapeUnit)}\n`
}

/** JSON leaves these as they are. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON can be parsed at any depth, but not written at any depth: what is too deep is left out, field by field. */
function toJson(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
      return [name, typeof field === 'object' ? toText(field) : field]
    })
    return JSON.stringify(Object.fromEntries(fields))
  }
}

/** A formatter as stdout and the environment want it. */
export function createStdoutFormatter(options: {verbose: number; text: boolean}): Formatter {
  const {env, stdout} = process
  const isTerminal = stdout.isTTY && env['TERM'] !== 'dumb'
  return createFormatter({
    ...options,
    colors: wantsColor(env, stdout.isTTY) ? colored : plain,
    symbols: wantsUnicode(env) ? unicode : ascii,
    width: isTerminal ? stdout.columns : undefined,
  })
}
