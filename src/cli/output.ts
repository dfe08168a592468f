import {escapeCiCommands, escapeControls} from '../core/text/text.ts'
import {encodeJson} from '../core/wire/json.ts'
import {once} from 'node:events'

/** Writes to stdout, and waits when whoever reads it is slower. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || process.stdout.destroyed) return
  // When nobody reads any more, there is an end and no drain.
  if (!process.stdout.write(text)) await room()
}

/** Settles when whoever reads stdout is not behind, or there is nobody any more. */
export async function room(): Promise<void> {
  if (!process.stdout.writableNeedDrain || process.stdout.destroyed) return
  const controller = new AbortController()
  const {signal} = controller
  // When nobody reads any more, there is an end and no drain.
  await Promise.any([
    once(process.stdout, 'drain', {signal}),
    once(process.stdout, 'close', {signal}),
  ]).catch(() => {})
  controller.abort()
}

let needsReader = true

/** Whether there is nothing left to do when nobody reads stdout any more. */
export function isReaderNeeded(): boolean {
  return needsReader
}

/** Goes on when nobody reads stdout any more. */
export function outliveReader(): void {
  needsReader = false
}

/** Writes a remark of Vitrine's own to stderr; names of files in it may hold anything. */
export function remark(text: string): void {
  process.stderr.write(`vitrine: ${escapeControls(text)}\n`)
}

/** A value as a line of JSON that no terminal and no CI runner obeys: what it would, besides the usual, is escaped. */
export function jsonLine(value: object): string {
  const json = encodeJson(value).replaceAll(UNSAFE, escapeUnit)
  return `${escapeCiCommands(json, String.raw`\u0023`)}\n`
}

/** JSON leaves these as they are. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Collects text and writes it in large pieces, soon. */
export function createBuffer(): {write(text: string): void; flush(): Promise<void>} {
  let pending: string[] = []
  let isDue = false
  return {
    write(text) {
      pending.push(text)
      if (isDue) return
      isDue = true
      setImmediate(() => void flush())
    },
    flush,
  }

  function flush(): Promise<void> {
    isDue = false
    const text = pending.join('')
    pending = []
    return print(text)
  }
}
