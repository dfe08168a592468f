import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {isError, type Entry, type EntryId} from '../model/entry.ts'
import {countEntries, listRows} from '../model/rows.ts'
import {describeTimeline} from '../model/timeline-builder.ts'
import {updateQuery} from '../shell/router.ts'
import type {TimelineActions} from '../timeline/timeline.tsx'
import {monogramOf} from '../ui/monogram-of.ts'
import {listChangedFiles} from './changed-files.ts'
import type {FeedActions} from './feed.tsx'
import type {RunSource} from './run-source.ts'
import {contextAt, summarizeAt} from './summary-at.ts'
import {initialView, isOpen, PHONE, SPEEDS, type PanelTab, type ViewState} from './view-state.ts'

/** The parts of the page that can be told to show something. */
export interface ViewParts {
  feed: RefObject<FeedActions | null>
  timeline: RefObject<TimelineActions | null>
}

/** All that a person sees of a run, and what they can do with the view of it. */
export type RunViewModel = ReturnType<typeof useRunView>

/** Keeps how somebody looks at a run, and makes what is shown of it. */
export function useRunView(source: RunSource, summary: RunSummary, {feed, timeline}: ViewParts) {
  const snapshot = useSyncExternalStore(source.subscribe, source.getSnapshot)
  const [view, setView] = useState<ViewState>(() => ({
    ...initialView,
    // On a phone what a run is comes first, and its end is in the dock.
    isFollowing: summary.state !== 'over' || !matchMedia(PHONE).matches,
  }))
  const change = useCallback((changes: Partial<ViewState>) => {
    setView((before) => (isSame(before, changes) ? before : {...before, ...changes}))
  }, [])
  const {until, filter, opened, selected} = view
  const {start, end, entries} = snapshot
  const startedAt = start?.startedAt ?? summary.startedAt
  // It is known before all of it is here.
  const endedAt = end?.at ?? summary.endedAt

  const run = useMemo(() => {
    if (until === undefined) return summary
    const {title, workOrderId} = summary
    return {...summarizeAt(source.runId, snapshot, until), title, workOrderId}
  }, [summary, until, source, snapshot])
  const lastEdit = useMemo(() => findLastEdit(snapshot.entries, until), [snapshot, until])
  const isRowOpen = useCallback(
    (entry: Entry) => isOpen(entry, opened, lastEdit),
    [opened, lastEdit],
  )
  const rows = useMemo(() => {
    const isUnfolded = (entry: Entry) => isOpen(entry, opened, undefined)
    return listRows(snapshot, {filter, until, isUnfolded})
  }, [snapshot, filter, until, opened])
  const counts = useMemo(() => {
    return until === undefined ? snapshot.counts : countEntries(snapshot.entries, until)
  }, [snapshot, until])
  const {fileVersion} = snapshot
  const files = useMemo(
    () => listChangedFiles(snapshot, until),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- of a long run it takes its time, and little changes files
    [snapshot.entries, fileVersion, until],
  )
  const {agent, monogram, model, isStuck, waiting} = run
  const silentSince = isStuck && waiting?.why === 'silent' ? waiting.since : undefined
  const timelineData = useMemo(
    () =>
      describeTimeline(snapshot.timeline, {startedAt, endedAt, until}, ({kind, tools}) => {
        const detail = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`
        if (kind !== 'main') return {detail}
        const facts = model === undefined ? detail : `${model} · ${detail}`
        return {detail: facts, monogram: monogramOf({agent, monogram}), silentSince}
      }),
    [snapshot, startedAt, endedAt, until, agent, monogram, model, silentSince],
  )

  /** What is to be shown as soon as it has a row. */
  const wanted = useRef<{id: EntryId; isFocused: boolean} | undefined>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    const {id, isFocused} = wanted.current
    const place = rows.findIndex((row) => row.id === id)
    if (place < 0) return
    wanted.current = undefined
    feed.current?.reveal(place, isFocused)
  })

  const select = useCallback(
    (id: EntryId) => {
      const entry = snapshot.findEntry(id)
      change({selected: id})
      timeline.current?.reveal(id)
      const isTool = entry?.type === 'tool'
      updateQuery({
        tool: isTool ? entry.toolId : undefined,
        line: !isTool && entry?.line ? String(entry.line) : undefined,
        at: undefined,
        near: undefined,
      })
    },
    [snapshot, change, timeline],
  )

  /** Selects an entry and shows it: what is in a folded sub-agent is unfolded first. */
  const reveal = useCallback(
    (id: EntryId, {isFocused = false} = {}) => {
      const parents = listParents(snapshot.findTool, snapshot.findEntry(id))
      setView((before) => ({
        ...before,
        isFollowing: false,
        phoneTab: 'feed',
        filter: rows.some((row) => row.id === id) ? before.filter : 'all',
        opened: new Map([...before.opened, ...parents.map((parent) => [parent, true] as const)]),
      }))
      select(id)
      wanted.current = {id, isFocused}
    },
    [snapshot, rows, select],
  )

  const toggle = useCallback((id: EntryId, isNowOpen: boolean) => {
    setView((before) => ({...before, opened: new Map(before.opened).set(id, isNowOpen)}))
    // Folding a row may move it above the visible part of the feed.
    if (!isNowOpen) wanted.current = {id, isFocused: false}
  }, [])

  const showTab = useCallback(
    (tab: PanelTab) => {
      change({tab, phoneTab: tab, isPanelOpen: true})
      updateQuery({tab})
    },
    [change],
  )

  const showRecord = useCallback(
    (line: number) => {
      change({line, tab: 'raw', phoneTab: 'raw', isPanelOpen: true})
      updateQuery({tab: 'raw', line: String(line)})
    },
    [change],
  )

  const index = selected === undefined ? -1 : rows.findIndex(({id}) => id === selected)
  return {
    snapshot,
    view,
    change,
    run,
    rows,
    counts,
    files,
    timelineData,
    startedAt,
    endedAt,
    isOver: end !== undefined || summary.state === 'over',
    /** Whether all of it is here, to be played again. */
    canReplay: end !== undefined,
    state: until === undefined ? snapshot.state : snapshot.stateAt(until),
    context: contextAt(snapshot.spending, until ?? Number.POSITIVE_INFINITY),
    isRowOpen,
    select,
    reveal,
    toggle,
    showTab,
    showRecord,
    follow: useCallback((isFollowing: boolean) => change({isFollowing}), [change]),
    seek: useCallback((at: number) => change({until: at}), [change]),
    play: useCallback((isPlaying: boolean) => change({isPlaying}), [change]),
    /** The next or previous row. */
    step(by: 1 | -1) {
      const from = index === -1 && by === -1 ? rows.length : index
      const next = rows[Math.max(0, Math.min(rows.length - 1, from + by))]
      if (next !== undefined) reveal(next.id, BY_KEY)
    },
    /** The next or previous thing that went wrong; false when nothing did. */
    goToError(by: 1 | -1): boolean {
      const isWrong = (entry: Entry) =>
        isError(entry) && entry.type !== 'end' && entry.at <= (until ?? entry.at)
      const ordered = by === 1 ? entries : entries.toReversed()
      const from = ordered.findIndex(({id}) => id === selected)
      const next = ordered.slice(from + 1).find(isWrong) ?? ordered.find(isWrong)
      if (next === undefined) return false
      reveal(next.id, BY_KEY)
      return true
    },
    /** Opens or folds what is selected; false when nothing is. */
    toggleSelected(to?: boolean): boolean {
      const row = rows[index]
      if (row === undefined) return false
      toggle(row.id, to ?? !isRowOpen(row))
      return true
    },
    /** Shows the record of what is selected. */
    showRaw() {
      const line = rows[index]?.line ?? 0
      if (line === 0) showTab('raw')
      else showRecord(line)
    },
    /** Begins a replay, or ends it. */
    replay() {
      change(
        until === undefined
          ? {until: startedAt, isPlaying: true, isFollowing: true, selected: undefined}
          : {until: undefined, isPlaying: false},
      )
    },
    changeSpeed(by: 1 | -1) {
      const speed = SPEEDS[SPEEDS.indexOf(view.speed) + by]
      if (speed !== undefined) change({speed})
    },
  }
}

/** Whether a view is like that already: it is told at every step of the wheel that somebody reads. */
function isSame(view: ViewState, changes: Partial<ViewState>): boolean {
  return Object.entries(changes).every(([key, value]) => Reflect.get(view, key) === value)
}

/** Whoever walks by key goes on from where they are. */
const BY_KEY = {isFocused: true}

function findLastEdit(entries: readonly Entry[], until: number | undefined): EntryId | undefined {
  return entries.findLast(
    (entry) =>
      entry.type === 'tool' &&
      (entry.tool === 'Edit' || entry.tool === 'Write') &&
      entry.at <= (until ?? entry.at),
  )?.id
}

/** The sub-agents that an entry is in, the outermost last. */
function listParents(
  findTool: (toolId: string) => Entry | undefined,
  entry: Entry | undefined,
): EntryId[] {
  const parents: EntryId[] = []
  for (let parentId = entry?.parentId; parentId !== undefined;) {
    const parent = findTool(parentId)
    if (parent === undefined || parents.includes(parent.id)) break
    parents.push(parent.id)
    ;({parentId} = parent)
  }
  return parents
}
