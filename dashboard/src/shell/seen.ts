import {useEffect, type RefObject} from 'react'

/** A key meant for something else is no answer: what is asked must have been on screen for so long. */
const SEEN_MS = 500

/** Keeps since when something is on screen, under a key of its own. */
export function useSeen(ref: RefObject<Element | null>, key: string | undefined): void {
  useEffect(() => {
    const element = ref.current
    if (element === null || key === undefined) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) seen.delete(key)
      else if (!seen.has(key)) seen.set(key, performance.now())
    })
    // Who comes back to the tab has yet to look.
    const begin = () => seen.has(key) && seen.set(key, performance.now())
    observer.observe(element)
    document.addEventListener('visibilitychange', begin)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', begin)
      seen.delete(key)
    }
  }, [ref, key])
}

/** Whether something was on screen long enough to be answered. */
export function wasSeen(key: string): boolean {
  const since = seen.get(key)
  return since !== undefined && performance.now() - since >= SEEN_MS
}

const seen = new Map<string, number>()
