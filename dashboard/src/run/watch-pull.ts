/**
 * Tells of whoever scrolls up by wheel or finger, as soon as they do: where much comes in, a page that follows is at its end
 * again before a scroll event tells that it was not.
 *
 * @returns What ends it.
 */
export function watchPull(element: HTMLElement, onPull: () => void): () => void {
  let lastY = 0
  const listening = new AbortController()
  const {signal} = listening
  const options = {signal, passive: true}
  element.addEventListener('wheel', ({deltaY}) => deltaY < 0 && onPull(), options)
  element.addEventListener('touchstart', (event) => (lastY = yOf(event)), options)
  element.addEventListener(
    'touchmove',
    (event) => {
      const y = yOf(event)
      if (y > lastY) onPull()
      lastY = y
    },
    options,
  )
  return () => listening.abort()
}

function yOf({touches}: TouchEvent): number {
  return touches[0]?.clientY ?? 0
}
