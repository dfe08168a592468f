/** A line on the terminal that says how far something is, and goes away. */
export interface ProgressLine {
  /** Shows it, now and then, once it takes long. */
  show(text: string): void
  clear(): void
}

/** What takes no longer needs no line. */
const SHOW_AFTER_MS = 700
const REDRAW_INTERVAL_MS = 200

/** Makes such a line on stderr; nothing is shown where that is no terminal. */
export function createProgressLine(): ProgressLine {
  const isTerminal = process.stderr.isTTY && process.env['TERM'] !== 'dumb'
  let nextAt = performance.now() + SHOW_AFTER_MS
  let isShown = false
  return {
    show(text) {
      if (!isTerminal || performance.now() < nextAt) return
      nextAt = performance.now() + REDRAW_INTERVAL_MS
      isShown = true
      process.stderr.write(`\r${text}\u001b[K`)
    },
    clear() {
      if (isShown) process.stderr.write('\r\u001b[K')
      isShown = false
    },
  }
}
