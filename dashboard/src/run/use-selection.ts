import {useEffect, useMemo, useRef, useState, type RefObject} from 'react'
import {isError, type Entry, type EntryId} from '../model/entry.ts'
import type {FeedFilter} from '../model/rows.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {updateQuery} from '../shell/router.ts'
import {useLatest} from '../ui/use-latest.ts'
import {useRows} from './use-rows.ts'

/** Commands of the page to its feed. */
export interface FeedActions {
  /** Scrolls a row into view and optionally focuses it. */
  reveal(index: number, isFocused: boolean): void
}

interface RevealOptions {
  isFocused?: boolean | undefined
}

/** State of the feed, and commands that select, open and filter its rows. */
export type Selection = ReturnType<typeof useSelection>

/** Rows that are shown, and which of them is selected. */
export function useSelection(
  snapshot: RunSnapshot,
  {
    until,
    isFollowing: isFollowingAtFirst,
    feed,
    onSelect,
    onReveal,
  }: {
    until: number | undefined
    isFollowing: boolean
    feed: RefObject<FeedActions | null>
    onSelect(id: EntryId): void
    onReveal(): void
  },
) {
  const [filter, filterRows] = useState<FeedFilter>('all')
  const [opened, setOpened] = useState<ReadonlyMap<EntryId, boolean>>(() => new Map())
  /** Whether the feed scrolls with its end. */
  const [isFollowing, follow] = useState(isFollowingAtFirst)
  const [chosen, setChosen] = useState<EntryId | undefined>(undefined)
  const {rows, counts, isRowOpen} = useRows(snapshot, until, filter, opened)
  // A text at the start of a preview belongs to an earlier entry once the whole run is loaded.
  const selected = chosen === undefined ? undefined : snapshot.findEntry(chosen)?.id

  const [wanted, setWanted] = useState<RevealOptions & {id: EntryId}>()
  const revealed = useRef(wanted)
  useEffect(() => {
    if (wanted === undefined || wanted === revealed.current) return
    const index = rows.findIndex(({id}) => id === wanted.id)
    // Its sub-agent is being unfolded, or the filter removed.
    if (index === -1) return
    revealed.current = wanted
    feed.current?.reveal(index, wanted.isFocused === true)
  }, [wanted, rows, feed])

  const latest = useLatest({snapshot, rows, isRowOpen, until, selected, onSelect, onReveal})
  const actions = useMemo(() => {
    return {
      select,
      reveal,
      deselect: () => setChosen(undefined),
      /** Selects the next or previous row. */
      step(by: 1 | -1): void {
        const from = findSelected()
        const start = from === -1 && by === -1 ? latest.current.rows.length : from
        const last = latest.current.rows.length - 1
        const next = latest.current.rows[Math.max(0, Math.min(last, start + by))]
        if (next !== undefined) reveal(next.id, {isFocused: true})
      },
      /** Selects the next or previous error; false when there is none. */
      goToError(by: 1 | -1): boolean {
        const next = findError(by)
        if (next !== undefined) reveal(next.id, {isFocused: true})
        return next !== undefined
      },
      toggle,
      /** Opens or folds the selected row; false when none is selected. */
      toggleSelected(isOpen?: boolean): boolean {
        const row = latest.current.rows[findSelected()]
        if (row === undefined) return false
        toggle(row.id, isOpen ?? !latest.current.isRowOpen(row))
        return true
      },
      getSelectedLine: () => latest.current.rows[findSelected()]?.line,
      filterRows,
      follow,
    }

    function findSelected(): number {
      return latest.current.rows.findIndex(({id}) => id === latest.current.selected)
    }

    /** The next or previous error after the selected entry, else the first one. */
    function findError(by: 1 | -1): Entry | undefined {
      const {
        snapshot: {entries},
        until: end = Number.POSITIVE_INFINITY,
        selected: from,
      } = latest.current
      const isWrong = (entry: Entry) => isError(entry) && entry.type !== 'end' && entry.at <= end
      const ordered = by === 1 ? entries : entries.toReversed()
      const start = ordered.findIndex(({id}) => id === from)
      return ordered.slice(start + 1).find(isWrong) ?? ordered.find(isWrong)
    }

    /** Selects an entry and puts it into the address. */
    function select(id: EntryId): void {
      const entry = latest.current.snapshot.findEntry(id)
      setChosen(id)
      latest.current.onSelect(id)
      const isTool = entry?.type === 'tool'
      updateQuery({
        tool: isTool ? entry.toolId : undefined,
        line: !isTool && entry?.line ? String(entry.line) : undefined,
        at: undefined,
        near: undefined,
        role: undefined,
      })
    }

    /** Selects an entry and scrolls to its row, which is unfolded if it is inside a sub-agent. */
    function reveal(id: EntryId, {isFocused}: RevealOptions = {}): void {
      const parents = listParents(latest.current.snapshot, id)
      follow(false)
      latest.current.onReveal()
      if (!latest.current.rows.some((row) => row.id === id)) filterRows('all')
      if (parents.length > 0) {
        setOpened((before) => new Map([...before, ...parents.map((one) => [one, true] as const)]))
      }
      select(id)
      setWanted({id, isFocused})
    }

    function toggle(id: EntryId, isOpen: boolean): void {
      setOpened((before) => new Map(before).set(id, isOpen))
      // Folding a row may move it above the visible part of the feed.
      if (!isOpen) setWanted({id})
    }
  }, [latest])
  return {rows, counts, isRowOpen, filter, isFollowing, selected, actions}
}

/** The sub-agents that contain an entry, from the inside out. */
function listParents({findEntry, findTool}: RunSnapshot, id: EntryId): EntryId[] {
  const parents: EntryId[] = []
  for (let parentId = findEntry(id)?.parentId; parentId !== undefined;) {
    const parent = findTool(parentId)
    if (parent === undefined || parents.includes(parent.id)) break
    parents.push(parent.id)
    ;({parentId} = parent)
  }
  return parents
}
