import {useRunList} from '../hub/hub.tsx'
import {makeSections} from '../shell/sections.ts'
import {useKeys} from '../shell/keys.ts'
import {navigate, pathOfRun} from '../shell/router.ts'

/** Navigates to the previous and the next run by key, in the order of the run list. */
export function useNeighbourKeys(runId: string): void {
  const {runs, at} = useRunList()
  const go = (step: 1 | -1): boolean => {
    const order = makeSections(runs.values(), at).flatMap(({runIds}) => runIds)
    const here = order.indexOf(runId)
    const next = here === -1 ? undefined : order[here + step]
    if (next === undefined) return false
    navigate(pathOfRun(next))
    return true
  }
  useKeys('Run', {
    '[': {words: 'previous run', act: () => go(-1)},
    ']': {words: 'next run', act: () => go(1)},
  })
}
