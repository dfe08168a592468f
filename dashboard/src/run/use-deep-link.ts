import {useEffect, useRef} from 'react'
import type {Entry} from '../model/entry.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {useQuery} from '../shell/router.ts'
import type {PanelTab} from './view-state.ts'

/** Where a link can lead to in a run. */
export interface DeepLinkTargets {
  snapshot: RunSnapshot
  isCaughtUp: boolean
  onEntry(id: number): void
  onTab(tab: PanelTab): void
  onLine(line: number): void
  /** A moment, in milliseconds since 1970. */
  onMoment(at: number): void
}

/**
 * Goes once to where the address points: `?tool=` a call, `?line=` a record, `?at=` a moment from the start in seconds, `?tab=` a panel.
 * What a search found is `?near=` a time, also on the page of the same run.
 */
export function useDeepLink(targets: DeepLinkTargets): void {
  const isDone = useRef(false)
  const {snapshot, isCaughtUp} = targets
  const near = useQuery('near')
  useEffect(() => {
    const entry = near === '' || !isCaughtUp ? undefined : findNear(snapshot.entries, Number(near))
    if (entry !== undefined) targets.onEntry(entry.id)
    // Who goes there takes it out of the address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [near, isCaughtUp])
  useEffect(() => {
    if (isDone.current || snapshot.start === undefined) return
    const query = new URLSearchParams(location.search)
    const tab = query.get('tab')
    const toolId = query.get('tool')
    const at = query.get('at')
    const line = Number(query.get('line') ?? '0')
    const tool = toolId === null ? undefined : snapshot.findTool(toolId)
    // What is looked for may be yet to come.
    if (toolId !== null && tool === undefined && !isCaughtUp) return
    if ((at !== null || line > 0) && !isCaughtUp) return
    isDone.current = true
    if (isTab(tab) && line === 0) targets.onTab(tab)
    if (tool !== undefined) targets.onEntry(tool.id)
    if (line > 0 && tab === 'raw') targets.onLine(line)
    else if (line > 0) {
      const entry =
        snapshot.entries.find((one) => one.line === line) ??
        snapshot.entries.find((one) => one.line > line)
      if (entry !== undefined) targets.onEntry(entry.id)
    }
    if (at !== null && Number.isFinite(Number(at)) && snapshot.end !== undefined) {
      targets.onMoment(snapshot.start.startedAt + Number(at) * 1000)
    }
    // Once: later changes of the address are made by the page itself.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [snapshot, isCaughtUp])
}

/** What happened at a time, else the next after it. */
function findNear(entries: readonly Entry[], time: number): Entry | undefined {
  const isAt = (entry: Entry) => entry.at === time || ('endAt' in entry && entry.endAt === time)
  return entries.find(isAt) ?? entries.find(({at}) => at >= time) ?? entries.at(-1)
}

function isTab(word: string | null): word is PanelTab {
  return word === 'files' || word === 'plan' || word === 'stats' || word === 'raw'
}
