import {useLayoutEffect, useRef, type RefObject} from 'react'

/** The value of the last render, for callbacks whose identity must not change with it. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
