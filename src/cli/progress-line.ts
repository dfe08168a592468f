/** A progress line on stderr that is removed at the end. */
export interface ProgressLine {
  /** Shows the progress, throttled, once the work takes longer. */
  show(text: string): void
  clear(): void
}

/** Shorter work needs no progress line. */
const SHOW_AFTER_MS = 700
const REDRAW_INTERVAL_MS = 200

/** Creates a progress line; it shows nothing if stderr is not a terminal. */
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
