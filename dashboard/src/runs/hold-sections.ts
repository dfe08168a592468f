import {NEEDS_YOU, type Section} from '../shell/sections.ts'

/** The sections as shown, and the pending moves. */
export interface HeldSections {
  sections: readonly Section[]
  /** How many runs of each shown section belong elsewhere. */
  moved: ReadonlyMap<string, number>
  /** How many runs are not shown yet. */
  fresh: number
}

/**
 * Keeps rows in place while the pointer is over them. Only runs that need attention are added immediately, at the
 * top.
 *
 * @param shown - The current sections.
 * @param wanted - The target sections.
 */
export function holdSections(
  shown: readonly Section[] | undefined,
  wanted: readonly Section[],
  isHeld: boolean,
): HeldSections {
  if (!isHeld || shown === undefined) return {sections: wanted, moved: new Map(), fresh: 0}
  const home = new Map(wanted.flatMap(({key, runIds}) => runIds.map((runId) => [runId, key])))
  const seen = new Set(shown.flatMap(({runIds}) => runIds))
  const kept = shown.map((section) => ({
    ...section,
    runIds: section.runIds.filter((runId) => {
      const key = home.get(runId)
      return key !== undefined && (key !== NEEDS_YOU || section.key === NEEDS_YOU)
    }),
  }))
  const sections = addNeedy(kept, wanted).filter(({runIds}) => runIds.length > 0)
  const moved = new Map<string, number>()
  for (const {key, runIds} of sections) {
    const count = runIds.filter((runId) => home.get(runId) !== key).length
    if (count > 0) moved.set(key, count)
  }
  const fresh = [...home].filter(([runId, key]) => !seen.has(runId) && key !== NEEDS_YOU).length
  return {sections, moved, fresh}
}

/** Adds runs that newly need attention. */
function addNeedy(kept: readonly Section[], wanted: readonly Section[]): readonly Section[] {
  const needy = wanted.find(({key}) => key === NEEDS_YOU)
  if (needy === undefined) return kept
  const before = kept.find(({key}) => key === NEEDS_YOU)
  const there = new Set(before?.runIds)
  const runIds = [...needy.runIds.filter((runId) => !there.has(runId)), ...(before?.runIds ?? [])]
  const section = {...needy, runIds}
  if (before === undefined) return [section, ...kept]
  return kept.map((other) => (other === before ? section : other))
}
