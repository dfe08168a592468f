import {useCallback, useState} from 'react'
import {holdSections, type HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

/**
 * Keeps rows in place while the pointer is over them.
 *
 * @param basis - The query of the user: when it changes, nothing is held.
 */
export function useHeldSections(
  wanted: readonly Section[],
  basis: string,
  isHeld: boolean,
): {held: HeldSections; release: () => void} {
  const [releases, setReleases] = useState(0)
  const key = `${releases} ${basis}`
  const [last, setLast] = useState(() => ({
    wanted,
    key,
    isHeld,
    held: holdSections(undefined, wanted, false),
  }))
  let {held} = last
  if (last.wanted !== wanted || last.key !== key || last.isHeld !== isHeld) {
    held = holdSections(held.sections, wanted, isHeld && last.key === key)
    setLast({wanted, key, isHeld, held})
  }
  const release = useCallback(() => setReleases((count) => count + 1), [])
  return {held, release}
}
