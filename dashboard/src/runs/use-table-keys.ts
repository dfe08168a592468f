import {useCallback, useEffect, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useHub} from '../hub/hub.tsx'
import {requestKey} from '../hub/request-list.ts'
import {announce} from '../shell/announce.tsx'
import {useKeys} from '../shell/keys.ts'
import {navigate, pathOfRun} from '../shell/router.ts'
import {isRun, needsAnswer, needsAttention} from '../ui/state.ts'
import {describeRequest} from './describe-request.ts'
import type {TableFocus} from './runs-table.tsx'
import type {Section} from '../shell/sections.ts'
import {wasSeen} from '../shell/seen.ts'

/** The keys of the table: the selection, and its actions. */
export function useTableKeys({
  sections,
  runs,
  selectedId,
  onSelect,
  findStart,
  onSearch,
  onKind,
  onDate,
}: {
  /** In display order. */
  sections: readonly Section[]
  runs: ReadonlyMap<string, RunSummary>
  selectedId: string | undefined
  onSelect: (runId: string | undefined) => void
  /** The row to select first, if it is not that at the end of the list. */
  findStart: () => string | undefined
  onSearch: () => void
  /** Shows the next kind. */
  onKind: () => void
  /** Asks for a date to go to. */
  onDate: () => void
}) {
  const {orders, requestList} = useHub()
  const [wantedId, setWantedId] = useState<string | undefined>(undefined)
  const [stoppingId, setStoppingId] = useState<string | undefined>(undefined)
  const order = sections.flatMap(({runIds}) => runIds)
  const selected = selectedId === undefined ? undefined : runs.get(selectedId)
  // Without a selection, the keys apply to the only possible row.
  const urgent = order.flatMap((runId) => runs.get(runId) ?? []).filter(needsAttention)
  const target = selected ?? (urgent.length === 1 ? urgent[0] : undefined)

  const move = (step: 1 | -1) => {
    const at = selectedId === undefined ? -1 : order.indexOf(selectedId)
    const start = order.indexOf(findStart() ?? '')
    const end = step === 1 ? 0 : order.length - 1
    const next = at !== -1 ? at + step : start !== -1 ? start : end
    const runId = order[Math.min(Math.max(next, 0), order.length - 1)]
    onSelect(runId)
    setWantedId(runId)
  }
  const answer = (allow: boolean): boolean => {
    const requestId = target?.requests[0]?.requestId
    if (target === undefined || !isRun(target) || requestId === undefined) return false
    if (!needsAnswer(target)) return false
    const {runId} = target
    const key = requestKey(runId, requestId)
    const request = requestList.get().get(key)
    if (request === undefined || !wasSeen(key)) return false
    if (allow && !describeRequest(request).isComplete) return false
    orders.answer({runId, requestId, allow})
    return true
  }
  const leave = (): boolean => {
    if (stoppingId !== undefined) setStoppingId(undefined)
    else if (selectedId === undefined) return false
    else {
      onSelect(undefined)
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    }
    return true
  }
  useKeys('Runs', {
    j: {
      words: 'next run or session',
      hint: 'move',
      also: ['ArrowDown'],
      canRepeat: true,
      act: () => move(1),
    },
    k: {
      words: 'previous run or session',
      hint: 'move',
      also: ['ArrowUp'],
      canRepeat: true,
      act: () => move(-1),
    },
    Enter: {
      words: 'open',
      hint: 'open',
      act: () => target !== undefined && (navigate(pathOfRun(target.runId)), true),
    },
    '/': {words: 'search', hint: 'search', act: onSearch},
    s: {words: 'next kind', hint: 'kind', act: onKind},
    'g d': {words: 'go to date', hint: 'go to date', act: onDate},
    a: {words: 'allow once', hint: 'allow', act: () => answer(true)},
    d: {words: 'deny', hint: 'deny', act: () => answer(false)},
    x: {
      words: 'stop (asks for confirmation)',
      act: () => {
        if (target === undefined || target.state === 'over' || !isRun(target)) return false
        setStoppingId(target.runId)
        return true
      },
    },
    y: {words: 'copy link', act: () => target !== undefined && copyLink(target.runId)},
    Escape: {words: 'back', act: leave},
  })
  // Using the pointer ends the keyboard selection.
  useEffect(() => {
    const drop = () => onSelect(undefined)
    addEventListener('pointerdown', drop)
    return () => removeEventListener('pointerdown', drop)
  }, [onSelect])

  const focus: TableFocus = {selectedId, wantedId, targetId: target?.runId, stoppingId}
  const onFocused = useCallback(() => setWantedId(undefined), [])
  return {focus, onFocused, onAskToStop: setStoppingId}
}

function copyLink(runId: string): boolean {
  const url = new URL(pathOfRun(runId), location.href).href
  void navigator.clipboard.writeText(url).then(() => announce('Link copied'))
  return true
}
