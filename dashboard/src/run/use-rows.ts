import {useCallback, useMemo} from 'react'
import {isError, type Entry, type EntryId} from '../model/entry.ts'
import {countEntries, listRows, type FeedFilter} from '../model/rows.ts'
import type {RunSnapshot} from '../model/run-model.ts'

/** Rows of the feed, up to a moment of a replay when one is given. */
export function useRows(
  snapshot: RunSnapshot,
  until: number | undefined,
  filter: FeedFilter,
  /** Entries that the user opened or closed. */
  opened: ReadonlyMap<EntryId, boolean>,
) {
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
  return {rows, counts, isRowOpen}
}

/** Whether an entry is open: as the user chose, else by default for entries that matter. */
function isOpen(
  entry: Entry,
  opened: ReadonlyMap<EntryId, boolean>,
  lastEdit: EntryId | undefined,
): boolean {
  const chosen = opened.get(entry.id)
  if (chosen !== undefined) return chosen
  if (entry.type !== 'tool') return entry.type === 'plan'
  // A call that succeeded takes one line. Failed and running calls and the last edit are open.
  if (entry.tool === 'Task') return entry.endAt === undefined
  return (
    isError(entry) || entry.endAt === undefined || entry.id === lastEdit || entry.tool === 'Todo'
  )
}

function findLastEdit(entries: readonly Entry[], until: number | undefined): EntryId | undefined {
  return entries.findLast(
    (entry) =>
      entry.type === 'tool' &&
      (entry.tool === 'Edit' || entry.tool === 'Write') &&
      entry.at <= (until ?? entry.at),
  )?.id
}
