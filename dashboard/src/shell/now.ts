import {useSyncExternalStore} from 'react'

/** The current time, once a second, by one timer for the page. Paused while the tab is hidden. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current)
}

/** Fixes the time, for a page that shows the past. */
export function stopClock(at: number): void {
  isStopped = true
  clearInterval(timer)
  timer = undefined
  current = at
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()
let current = Date.now()
let isStopped = false
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    // It was not updated while unused.
    if (!isStopped) current = Date.now()
    document.addEventListener('visibilitychange', keepTime)
  }
  listeners.add(listener)
  keepTime()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', keepTime)
    keepTime()
  }
}

function keepTime(): void {
  const isWanted = listeners.size > 0 && !document.hidden && !isStopped
  if (isWanted && timer === undefined) {
    timer = setInterval(tick, 1000)
    if (Date.now() - current >= 1000) tick()
  } else if (!isWanted) {
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  current = Date.now()
  for (const listener of listeners) listener()
}
