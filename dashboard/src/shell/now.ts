import {useSyncExternalStore} from 'react'

/** The time, once a second, by one timer for the whole page. It stands still while nobody looks at the tab. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => current)
}

/** Lets it be the same time for ever, for a page that shows what is past. */
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
    // Nobody has kept it up to date in the meantime.
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
