import {useEffect, useReducer} from 'react'

/** A heavy module that is loaded on first use. */
export interface Lazy<T> {
  peek: () => T | undefined
  load: () => Promise<void>
}

/** Creates a lazy value that is loaded once, and retried only after a failure. */
export function createLazy<T>(start: () => Promise<T>): Lazy<T> {
  let value: T | undefined
  let loading: Promise<void> | undefined
  return {
    peek: () => value,
    load: () => {
      loading ??= fetchValue()
      return loading
    },
  }

  async function fetchValue(): Promise<void> {
    try {
      value = await start()
    } catch {
      // Without it the plain text stays.
      loading = undefined
    }
  }
}

/** The loaded value; undefined until then, or without a loader. */
export function useLazy<T>(lazy: Lazy<T> | undefined): T | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (lazy !== undefined && lazy.peek() === undefined) void lazy.load().then(redraw)
  }, [lazy])
  return lazy?.peek()
}
