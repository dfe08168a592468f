import {useEffect, useRef, type RefObject} from 'react'
import type {Range} from './range.ts'
import {chooseSpan} from './use-controls.ts'

/** Lets a key show the fields for days and focus them. */
export function useCustomDates({from, to, preset}: Range): {
  /** The first field, while it is shown. */
  firstDate: RefObject<HTMLInputElement | null>
  /** Shows the fields and focuses the first. */
  enterDates: () => void
} {
  const firstDate = useRef<HTMLInputElement>(null)
  const isWanted = useRef(false)
  const isCustom = preset === 'custom'
  // The field exists after the range is chosen.
  useEffect(() => {
    if (isCustom && isWanted.current) firstDate.current?.focus()
    isWanted.current = false
  }, [isCustom])
  const enterDates = () => {
    isWanted.current = !isCustom
    if (isCustom) firstDate.current?.focus()
    else chooseSpan(from, to)
  }
  return {firstDate, enterDates}
}
