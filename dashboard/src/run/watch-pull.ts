/** Whoever scrolls up by wheel or finger. */
export interface Pull {
  /** Whether a finger does so now. */
  isOn(): boolean
  /** Ends the watch. */
  stop(): void
}

/**
 * Tells of whoever scrolls up by wheel or finger, as soon as they do: where much comes in, a page that follows is at its end
 * again before a scroll event tells that it was not.
 */
export function watchPull(element: HTMLElement, onPull: () => void): Pull {
  let lastY = 0
  let isOn = false
  const listening = new AbortController()
  const options = {signal: listening.signal, passive: true}
  element.addEventListener('wheel', ({deltaY}) => deltaY < 0 && onPull(), options)
  element.addEventListener('touchstart', (event) => (lastY = yOf(event)), options)
  element.addEventListener(
    'touchmove',
    (event) => {
      const y = yOf(event)
      if (y !== lastY) isOn = y > lastY
      if (isOn) onPull()
      lastY = y
    },
    options,
  )
  for (const end of ['touchend', 'touchcancel'] as const) {
    element.addEventListener(end, () => (isOn = false), options)
  }
  return {isOn: () => isOn, stop: () => listening.abort()}
}

function yOf({touches}: TouchEvent): number {
  return touches[0]?.clientY ?? 0
}
