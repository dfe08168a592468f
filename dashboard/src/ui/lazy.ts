import {useEffect, useReducer} from 'react'

/** A heavy module that is loaded on first use. */
export interface Lazy<T> {
  peek: () => T | undefined
  load: () => Promise<T>
}

/** Creates a lazy value that is loaded once, and retried only after a failure. */
export function createLazy<T>(start: () => Promise<T>): Lazy<T> {
  let value: T | undefined
  let loading: Promise<T> | undefined
  return {
    peek: () => value,
    load: () => {
      loading ??= fetchValue()
      return loading
    },
  }

  async function fetchValue(): Promise<T> {
    try {
      value = await start()
      return value
    } catch (error) {
      loading = undefined
      throw error
    }
  }
}

/** The loaded value; undefined until then, or without a loader. */
export function useLazy<T>(lazy: Lazy<T> | undefined): T | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (lazy === undefined || lazy.peek() !== undefined) return undefined
    let isGone = false
    const show = () => {
      if (!isGone) redraw()
    }
    // Without it the plain text stays.
    lazy.load().then(show, () => undefined)
    return () => {
      isGone = true
    }
  }, [lazy])
  return lazy?.peek()
}
