/** Which way somebody scrolls. */
export interface Scrolling {
  /** Whether somebody has just scrolled down, or still does. */
  isDown(): boolean
  /** Ends the watch. */
  stop(): void
}

/** What was thrown, and a bar that is held, scroll on without anything to hear. */
const GOES_ON_MS = 1500
const DOWN_KEYS = new Set(['End', 'PageDown', ' '])

/**
 * Hears what people scroll with: where much comes in, scroll events tell nothing of them. A page that follows is at its end again
 * before one tells that it was not, and what the page did by itself may be told long after they have said otherwise.
 *
 * @param onUp - Called as soon as somebody scrolls up.
 */
export function watchScrolling(element: HTMLElement, onUp: () => void): Scrolling {
  let lastY = 0
  let downAt = -Infinity
  const listening = new AbortController()
  const options = {signal: listening.signal, passive: true}
  const go = (by: number) => {
    if (by === 0) return
    downAt = by > 0 ? performance.now() : -Infinity
    if (by < 0) onUp()
  }
  element.addEventListener('wheel', ({deltaY}) => go(deltaY), options)
  element.addEventListener('touchstart', (event) => (lastY = yOf(event)), options)
  element.addEventListener(
    'touchmove',
    (event) => {
      const y = yOf(event)
      go(lastY - y)
      lastY = y
    },
    options,
  )
  element.addEventListener('keydown', ({key}) => DOWN_KEYS.has(key) && go(1), options)
  // Its bar is the element itself.
  element.addEventListener('pointerdown', ({target}) => target === element && go(1), options)
  return {
    isDown: () => performance.now() - downAt < GOES_ON_MS,
    stop: () => listening.abort(),
  }
}

function yOf({touches}: TouchEvent): number {
  return touches[0]?.clientY ?? 0
}
