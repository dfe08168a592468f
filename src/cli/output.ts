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

/** Writes a remark of Vitrine's own to stderr. */
export function remark(text: string): void {
  process.stderr.write(`vitrine: ${text}\n`)
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
