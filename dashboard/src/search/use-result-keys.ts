import {useEffect, useState} from 'react'
import type {SearchEntry} from '../hub/history-api.ts'
import {useKeys} from '../shell/keys.ts'
import {navigate} from '../shell/router.ts'
import {pathOfMoment} from './path-of-moment.ts'

/** A match among the results. */
export interface ResultPlace {
  runId: string
  /** Of the moment within its run or session. */
  index: number
}

/** The keys of search results, and the match that they apply to: at first the first one. */
export function useResultKeys(
  entries: readonly SearchEntry[],
  {onSearch, onKind, onBack}: {onSearch: () => void; onKind: () => void; onBack: () => void},
) {
  const [chosen, setChosen] = useState<ResultPlace>()
  const places = entries.flatMap(({runId, moments}) =>
    moments.map((_, index): ResultPlace => ({runId, index})),
  )
  const found = places.findIndex(
    ({runId, index}) => runId === chosen?.runId && index === chosen.index,
  )
  const at = Math.max(0, found)
  const selected = places[at]
  const [isMoved, setMoved] = useState(false)
  useEffect(() => {
    if (isMoved) document.querySelector('[data-selected]')?.scrollIntoView({block: 'nearest'})
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the element changes with each of them
  }, [isMoved, selected?.runId, selected?.index])

  const choose = (place: ResultPlace | undefined): void => {
    if (place === undefined) return
    setChosen(place)
    setMoved(true)
  }
  const move = (step: 1 | -1) => choose(places[Math.min(Math.max(at + step, 0), places.length - 1)])
  const moveEntry = (step: 1 | -1) => {
    const here = entries.findIndex(({runId}) => runId === selected?.runId)
    const next = entries[here + step]
    if (next !== undefined) choose({runId: next.runId, index: 0})
  }
  const open = (): boolean => {
    const entry = entries.find(({runId}) => runId === selected?.runId)
    const moment = entry?.moments[selected?.index ?? 0]
    if (entry === undefined || moment === undefined) return false
    navigate(pathOfMoment(entry, moment))
    return true
  }
  useKeys('Search', {
    j: {
      words: 'next match',
      hint: 'match',
      also: ['ArrowDown'],
      canRepeat: true,
      act: () => move(1),
    },
    k: {
      words: 'previous match',
      hint: 'match',
      also: ['ArrowUp'],
      canRepeat: true,
      act: () => move(-1),
    },
    J: {words: 'next run or session', hint: 'run or session', act: () => moveEntry(1)},
    K: {words: 'previous run or session', hint: 'run or session', act: () => moveEntry(-1)},
    Enter: {words: 'jump to the moment', hint: 'jump to the moment', act: open},
    '/': {words: 'search', act: onSearch},
    s: {words: 'next kind', act: onKind},
    Escape: {words: 'back to the list', hint: 'back to the list', act: onBack},
  })
  return {selected, onPoint: setChosen}
}
