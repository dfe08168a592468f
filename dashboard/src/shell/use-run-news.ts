import {useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useRunList} from '../hub/hub.tsx'
import {describeState, needsAttention} from '../ui/state.ts'
import {announce} from './announce.tsx'
import {findRunNews} from './run-news.ts'
import {setNeedCount} from './title.ts'

/** Reports runs that need attention or end: in the tab, to screen readers, and in a notification if allowed. */
export function useRunNews(): void {
  const {runs, status} = useRunList()
  const before = useRef<ReadonlyMap<string, RunSummary> | undefined>(undefined)
  useEffect(() => {
    if (status !== 'ready') return
    const count = [...runs.values()].filter(needsAttention).length
    setNeedCount(count)
    // The state at page load is not announced; the list shows it.
    if (before.current !== undefined && before.current !== runs) {
      const {needs, polite, assertive} = findRunNews(before.current, runs)
      if (assertive !== '') announce(assertive, 'assertive')
      if (polite !== '') announce(polite)
      if (needs[0] !== undefined) notify(needs[0], count)
    }
    before.current = runs
  }, [runs, status])
}

/** Asks for permission to notify. */
export function allowNotifications(): void {
  if ('Notification' in globalThis) void Notification.requestPermission()
}

/** Whether the permission to notify is undecided. */
export function canAskToNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'default'
}

function notify(run: RunSummary, count: number): void {
  if (!document.hidden || !('Notification' in globalThis)) return
  if (Notification.permission !== 'granted') return
  const title = count > 1 ? `${count} runs need you` : describeState(run).word
  try {
    // The tag merges several notifications.
    const notification = new Notification(title, {body: escapeControls(run.title), tag: 'vitrine'})
    notification.addEventListener('click', () => window.focus())
  } catch {
    // Some phones notify only through a worker. The title of the tab shows it too.
  }
}
