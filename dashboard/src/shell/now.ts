import {useSyncExternalStore} from 'react'
import {createStore} from '../ui/create-store.ts'

const clock = createStore(Date.now())
let isStopped = false
let timer: ReturnType<typeof setInterval> | undefined

/** The current time, once a second, by one timer for the page. Paused while the tab is hidden. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, clock.get)
}

/** Fixes the time, for a page that shows the past. */
export function stopClock(at: number): void {
  isStopped = true
  clock.set(at)
}

function subscribe(listener: () => void): () => void {
  if (timer === undefined) {
    tick()
    timer = setInterval(tick, 1000)
    document.addEventListener('visibilitychange', tick)
  }
  return clock.subscribe(listener)
}

function tick(): void {
  if (!isStopped && !document.hidden) clock.set(Date.now())
}
