import {useEffect, useRef, useState} from 'react'

/** A value that is passed on at most once in so many milliseconds; with 0 at once. */
export function useThrottled<Value>(value: Value, interval: number): Value {
  const [shown, setShown] = useState(value)
  const last = useRef(0)
  useEffect(() => {
    const wait = Math.max(0, last.current + interval - performance.now())
    const timer = setTimeout(() => {
      last.current = performance.now()
      setShown(value)
    }, wait)
    return () => clearTimeout(timer)
  }, [value, interval])
  return interval === 0 ? value : shown
}
