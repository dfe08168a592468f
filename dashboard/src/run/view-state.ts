import {isError, type Entry, type EntryId} from '../model/entry.ts'
import type {FeedFilter} from '../model/rows.ts'

/** Screens that show one part at a time. */
export const PHONE = '(max-width: 767px)'

/** The panels beside the feed. */
export type PanelTab = 'files' | 'plan' | 'stats' | 'raw'
/** The tabs on a phone. */
export type PhoneTab = 'feed' | 'time' | PanelTab

/** The view state of a run page. */
export interface ViewState {
  filter: FeedFilter
  selected: EntryId | undefined
  /** Entries that the user opened or closed. */
  opened: ReadonlyMap<EntryId, boolean>
  tab: PanelTab
  phoneTab: PhoneTab
  /** Whether the panel covers the feed, where it does not fit beside it. */
  isPanelOpen: boolean
  /** The position of a replay; absent without one. */
  until: number | undefined
  isPlaying: boolean
  speed: number
  isFollowing: boolean
  /** The record in the raw panel. */
  line: number | undefined
}

/** The initial view state. */
export const initialView: ViewState = {
  filter: 'all',
  selected: undefined,
  opened: new Map(),
  tab: 'files',
  phoneTab: 'feed',
  isPanelOpen: false,
  until: undefined,
  isPlaying: false,
  speed: 10,
  isFollowing: true,
  line: undefined,
}

/** Speeds of a replay. */
export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 50, 100]

/** Whether an entry is open: as the user chose, else the important ones. */
export function isOpen(
  entry: Entry,
  opened: ReadonlyMap<EntryId, boolean>,
  lastEdit: EntryId | undefined,
): boolean {
  const chosen = opened.get(entry.id)
  if (chosen !== undefined) return chosen
  if (entry.type !== 'tool') return entry.type === 'plan'
  // A success is one line. Failures, running tools and the last edit are open.
  if (entry.tool === 'Task') return entry.endAt === undefined
  return (
    isError(entry) || entry.endAt === undefined || entry.id === lastEdit || entry.tool === 'Todo'
  )
}
