import {escapeCiCommands, escapeControls} from '../core/text/text.ts'
import {encodeJson} from '../core/wire/json.ts'
import {once} from 'node:events'

/** Writes to stdout with backpressure. */
export async function print(text: string | Uint8Array): Promise<void> {
  if (text.length === 0 || process.stdout.destroyed) return
  if (!process.stdout.write(text)) await waitForDrain()
}

/** Waits until stdout has drained or closed. */
export async function waitForDrain(): Promise<void> {
  if (!process.stdout.writableNeedDrain || process.stdout.destroyed) return
  const controller = new AbortController()
  const {signal} = controller
  // A closed pipe never drains.
  await Promise.any([
    once(process.stdout, 'drain', {signal}),
    once(process.stdout, 'close', {signal}),
  ]).catch(() => {})
  controller.abort()
}

let needsStdout = true

/** Whether the program should exit when the reader of stdout is gone. */
export function isStdoutRequired(): boolean {
  return needsStdout
}

/** Keeps the program running after the reader of stdout is gone. */
export function continueAfterEpipe(): void {
  needsStdout = false
}

/** Writes a line to stderr, with control characters escaped: file names can contain any. */
export function logToStderr(text: string): void {
  process.stderr.write(`vitrine: ${escapeControls(text)}\n`)
}

/** Formats a value as a line of JSON, with everything escaped that a terminal or CI runner would interpret. */
export function formatJsonLine(value: object): string {
  const json = encodeJson(value).replaceAll(UNSAFE, escapeCodeUnit)
  return `${escapeCiCommands(json, String.raw`\u0023`)}\n`
}

/** Characters that JSON does not escape. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeCodeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Creates a buffer that joins small writes into large ones. */
export function createOutputBuffer(): {write(text: string): void; flush(): Promise<void>} {
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
