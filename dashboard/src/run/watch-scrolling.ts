/** Momentum and a held scroll bar continue to scroll without input events. */
const MOMENTUM_MS = 1500
const DOWN_KEYS = new Set(['End', 'PageDown', ' '])

/**
 * Detects user scrolling from input events: while the feed follows, `scroll` events also come from its own scrolling, and may
 * arrive after the user has scrolled the other way.
 *
 * @param onUp - Called when the user scrolls up.
 */
export function watchScrolling(element: HTMLElement, onUp: () => void) {
  let lastY = 0
  let downAt = -Infinity
  const listening = new AbortController()
  const options = {signal: listening.signal, passive: true}
  const scroll = (by: number) => {
    if (by === 0) return
    downAt = by > 0 ? performance.now() : -Infinity
    if (by < 0) onUp()
  }
  element.addEventListener('wheel', ({deltaY}) => scroll(deltaY), options)
  element.addEventListener('touchstart', (event) => (lastY = readY(event)), options)
  element.addEventListener(
    'touchmove',
    (event) => {
      const y = readY(event)
      scroll(lastY - y)
      lastY = y
    },
    options,
  )
  element.addEventListener('keydown', ({key}) => DOWN_KEYS.has(key) && scroll(1), options)
  // A press on the scroll bar has the element itself as its target.
  element.addEventListener('pointerdown', ({target}) => target === element && scroll(1), options)
  return {
    /** Whether the user scrolls down or has just done so. */
    isDown: () => performance.now() - downAt < MOMENTUM_MS,
    stop: () => listening.abort(),
  }
}

function readY({touches}: TouchEvent): number {
  return touches[0]?.clientY ?? 0
}
