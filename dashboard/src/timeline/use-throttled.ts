import {useEffect, useRef, useState} from 'react'

/** A throttled value: changes at most once in this many milliseconds; with 0 immediately. */
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
