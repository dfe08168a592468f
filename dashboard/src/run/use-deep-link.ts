import {useEffect, useRef} from 'react'
import type {Entry} from '../model/entry.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {useQuery} from '../shell/router.ts'
import type {RunActions} from './run-context.ts'
import type {PanelTab} from './use-panels.ts'

/**
 * Navigates once to the target in the URL: `?tool=` a call, `?line=` a record, `?at=` a moment in seconds from the
 * start, `?tab=` a panel. A search result is `?near=` a time, also on the page of the same run, with the `?role=` of the
 * match when several entries have that time.
 */
export function useDeepLink(actions: RunActions, snapshot: RunSnapshot, isCaughtUp: boolean): void {
  const isDone = useRef(false)
  const near = useQuery('near')
  const role = useQuery('role')
  useEffect(() => {
    const entry =
      near === '' || !isCaughtUp ? undefined : findNear(snapshot.entries, Number(near), role)
    if (entry === undefined) return
    // The line that this puts into the URL may have other entries, too.
    isDone.current = true
    actions.reveal(entry.id)
    // The target is removed from the URL after navigation.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [near, role, isCaughtUp])
  useEffect(() => {
    if (isDone.current || snapshot.start === undefined) return
    const query = new URLSearchParams(location.search)
    const tab = query.get('tab')
    const toolId = query.get('tool')
    const at = query.get('at')
    const line = Number(query.get('line') ?? '0')
    const tool = toolId === null ? undefined : snapshot.findTool(toolId)
    // The target may not be loaded yet.
    if (toolId !== null && tool === undefined && !isCaughtUp) return
    if ((at !== null || line > 0) && !isCaughtUp) return
    isDone.current = true
    if (isTab(tab) && line === 0) actions.showTab(tab)
    if (tool !== undefined) actions.reveal(tool.id)
    if (line > 0 && tab === 'raw') actions.showRecord(line)
    else if (line > 0) {
      const entry =
        snapshot.entries.find((one) => one.line === line) ??
        snapshot.entries.find((one) => one.line > line)
      if (entry !== undefined) actions.reveal(entry.id)
    }
    if (at !== null && Number.isFinite(Number(at)) && snapshot.end !== undefined) {
      actions.seek(snapshot.start.startedAt + Number(at) * 1000)
    }
    // Once: later changes of the URL are made by the page itself.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [snapshot, isCaughtUp])
}

/** The entry at a time, else the next one. */
function findNear(entries: readonly Entry[], time: number, role: string): Entry | undefined {
  const found = entries.filter(
    (entry) => entry.at === time || ('endAt' in entry && entry.endAt === time),
  )
  const fitting = found.find((entry) => hasRole(entry, role)) ?? found[0]
  return fitting ?? entries.find(({at}) => at >= time) ?? entries.at(-1)
}

/** Whether an entry can contain a match with a role. */
function hasRole(entry: Entry, role: string): boolean {
  switch (role) {
    case 'prompt':
      return entry.type === 'prompt' || entry.type === 'notice'
    case 'reply':
      return entry.type === 'text' && !entry.isThinking
    case 'thinking':
      return entry.type === 'text' && entry.isThinking
    case 'command':
    case 'edit':
    case 'read':
    case 'output':
      return entry.type === 'tool'
    default:
      return true
  }
}

function isTab(word: string | null): word is PanelTab {
  return word === 'files' || word === 'plan' || word === 'stats' || word === 'raw'
}
