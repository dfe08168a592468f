import {useCallback, useState} from 'react'
import {holdSections, type HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

/** Keeps rows in place while the pointer is over them. */
export function useHeldSections(
  wanted: readonly Section[],
  {
    urgent,
    basis,
    isHeld,
  }: {
    /** The runs that need attention. */
    urgent: ReadonlySet<string>
    /** When it changes, nothing is held. */
    basis: unknown
    isHeld: boolean
  },
): {held: HeldSections; release: () => void} {
  const [releases, setReleases] = useState(0)
  const [last, setLast] = useState(() => ({
    wanted,
    basis,
    releases,
    isHeld,
    held: holdSections(undefined, wanted, urgent, false),
  }))
  let {held} = last
  const isSame = last.basis === basis && last.releases === releases
  if (last.wanted !== wanted || !isSame || last.isHeld !== isHeld) {
    held = holdSections(held.sections, wanted, urgent, isHeld && isSame)
    setLast({wanted, basis, releases, isHeld, held})
  }
  const release = useCallback(() => setReleases((count) => count + 1), [])
  return {held, release}
}
