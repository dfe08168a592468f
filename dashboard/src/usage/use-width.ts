import {useEffect, useState, type RefCallback} from 'react'

/** Measures the width of an element without its padding; 0 before it is measured. */
export function useWidth(): {ref: RefCallback<HTMLElement>; width: number} {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return {ref: setElement, width}
}
