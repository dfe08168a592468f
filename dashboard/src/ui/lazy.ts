import {useEffect, useReducer} from 'react'

/** Something heavy that is fetched when it is first wanted, and then at hand at once. */
export interface Lazy<T> {
  peek: () => T | undefined
  load: () => Promise<T>
}

/** Makes something that is fetched once, and tried again only when that failed. */
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

/** What was fetched; nothing until then, and when there is nothing to fetch. */
export function useLazy<T>(lazy: Lazy<T> | undefined): T | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (lazy === undefined || lazy.peek() !== undefined) return undefined
    let isGone = false
    const show = () => {
      if (!isGone) redraw()
    }
    // Without it the plain text stays, which is all that can be done then.
    lazy.load().then(show, () => undefined)
    return () => {
      isGone = true
    }
  }, [lazy])
  return lazy?.peek()
}
