import {useSyncExternalStore} from 'react'
import {dayOf} from '../shell/day.ts'
import type {Day} from './days.ts'

const CHECK_MS = 20_000

/** The current day; it changes at midnight. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => dayOf(Date.now()))
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, CHECK_MS)
  return () => clearInterval(timer)
}
