import {LIVE, type Section} from '../shell/sections.ts'

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
 * top, and those of further pages, at the end.
 *
 * @param shown - The current sections.
 * @param wanted - The target sections.
 * @param urgent - The runs that need attention.
 */
export function holdSections(
  shown: readonly Section[] | undefined,
  wanted: readonly Section[],
  urgent: ReadonlySet<string>,
  isHeld: boolean,
): HeldSections {
  if (!isHeld || shown === undefined) return {sections: wanted, moved: new Map(), fresh: 0}
  const home = new Map(wanted.flatMap(({key, runIds}) => runIds.map((runId) => [runId, key])))
  const seen = new Set(shown.flatMap(({runIds}) => runIds))
  const order = [...home.keys()]
  const older = new Set(order.slice(order.findLastIndex((runId) => seen.has(runId)) + 1))
  const lifted = wanted.find(({key}) => key === LIVE)?.runIds.filter((id) => urgent.has(id)) ?? []
  const isLifted = new Set(lifted)
  const sections = joinKeys(shown, wanted).flatMap((key): Section[] => {
    const target = wanted.find((section) => section.key === key)
    const before = shown.find((section) => section.key === key)
    const base = target ?? before
    if (base === undefined) return []
    const isHere = (id: string) => home.has(id) && (key === LIVE || !isLifted.has(id))
    const kept = before?.runIds.filter(isHere) ?? []
    const added = target?.runIds.filter((id) => older.has(id)) ?? []
    const runIds = key === LIVE ? putFirst(lifted, [...kept, ...added]) : [...kept, ...added]
    const missing = target?.missing ?? 0
    return runIds.length + missing === 0 ? [] : [{...base, runIds, missing}]
  })
  return {sections, ...countPending(sections, home)}
}

/** The keys of the shown sections; new ones come last, except that of live runs. */
function joinKeys(shown: readonly Section[], wanted: readonly Section[]): string[] {
  const keys = new Set([...shown, ...wanted].map(({key}) => key))
  return keys.delete(LIVE) ? [LIVE, ...keys] : [...keys]
}

/** Puts runs first that newly need attention. */
function putFirst(lifted: readonly string[], runIds: readonly string[]): readonly string[] {
  const leading = new Set(runIds.slice(0, lifted.length))
  if (lifted.every((runId) => leading.has(runId))) return runIds
  return [...lifted, ...runIds.filter((runId) => !lifted.includes(runId))]
}

function countPending(
  sections: readonly Section[],
  home: ReadonlyMap<string, string>,
): Pick<HeldSections, 'moved' | 'fresh'> {
  const moved = new Map<string, number>()
  for (const {key, runIds} of sections) {
    const count = runIds.filter((runId) => home.get(runId) !== key).length
    if (count > 0) moved.set(key, count)
  }
  const shown = new Set(sections.flatMap(({runIds}) => runIds))
  return {moved, fresh: [...home.keys()].filter((runId) => !shown.has(runId)).length}
}
