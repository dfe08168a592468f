import {useEffect, type RefObject} from 'react'

/** A request must have been visible this long before a key can answer it, to prevent accidents. */
const SEEN_MS = 500

/** Tracks since when an element is visible, by key. */
export function useSeen(ref: RefObject<Element | null>, key: string | undefined): void {
  useEffect(() => {
    const element = ref.current
    if (element === null || key === undefined) return undefined
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) seen.delete(key)
      else if (!seen.has(key)) seen.set(key, performance.now())
    })
    // Returning to the tab restarts the time.
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

/** Whether an element was visible long enough to be answered. */
export function wasSeen(key: string): boolean {
  const since = seen.get(key)
  return since !== undefined && performance.now() - since >= SEEN_MS
}

const seen = new Map<string, number>()
