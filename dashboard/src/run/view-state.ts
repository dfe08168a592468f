import {type Entry, isError} from '../model/entry.ts'
import type {FeedFilter} from '../model/rows.ts'

/** Screens on which there is one thing at a time. */
export const PHONE = '(max-width: 767px)'

/** The panels beside the feed. */
export type PanelTab = 'files' | 'plan' | 'stats' | 'raw'
/** What a phone shows, one at a time. */
export type PhoneTab = 'feed' | 'time' | PanelTab

/** How somebody looks at a run. */
export interface ViewState {
  filter: FeedFilter
  selected: number | undefined
  /** Entries that were opened or closed by hand. */
  opened: ReadonlyMap<number, boolean>
  tab: PanelTab
  phoneTab: PhoneTab
  /** Whether the panel is over the feed, where there is no room beside it. */
  isPanelOpen: boolean
  /** The moment of a replay; absent when there is none. */
  until: number | undefined
  isPlaying: boolean
  speed: number
  isFollowing: boolean
  /** The record that the raw panel shows. */
  line: number | undefined
}

/** How one looks at first. */
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

/** Whether an entry shows all that is in it: as a person chose, else those that matter. */
export function isOpen(
  entry: Entry,
  opened: ReadonlyMap<number, boolean>,
  lastEdit: number | undefined,
): boolean {
  const chosen = opened.get(entry.id)
  if (chosen !== undefined) return chosen
  if (entry.type !== 'tool') return entry.type === 'plan'
  // Success is quiet: one line. What failed, what runs and the last edit are open.
  if (entry.tool === 'Task') return entry.endAt === undefined
  return (
    isError(entry) || entry.endAt === undefined || entry.id === lastEdit || entry.tool === 'Todo'
  )
}
