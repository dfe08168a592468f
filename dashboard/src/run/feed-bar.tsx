import type {FeedFilter, FilterCounts} from '../model/rows.ts'
import {formatNumber} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'

const FILTERS: readonly (readonly [FeedFilter, string])[] = [
  ['all', 'All'],
  ['text', 'Text'],
  ['tools', 'Tools'],
  ['changes', 'Changes'],
  ['errors', 'Errors'],
  ['waits', 'Waits'],
]

/** What of the feed is shown, and whether it follows what comes. */
export function FeedBar({
  filter,
  counts,
  isOver,
  isFollowing,
  newCount,
  onFilter,
  onFollow,
  onDetails,
}: {
  filter: FeedFilter
  counts: FilterCounts
  isOver: boolean
  isFollowing: boolean
  /** How many came since it stopped to follow. */
  newCount: number
  onFilter(filter: FeedFilter): void
  onFollow(): void
  onDetails(): void
}) {
  return (
    <div className="fbar" role="toolbar" aria-label="Feed">
      {FILTERS.map(([id, word]) => {
        const count = id === 'all' || id === 'text' ? undefined : counts[id]
        return (
          <button
            key={id}
            type="button"
            aria-pressed={filter === id}
            className={id === 'errors' && counts.errors > 0 ? 'err' : undefined}
            onClick={() => onFilter(id)}
          >
            {word} {count !== undefined && <span className="num t3">{formatNumber(count)}</span>}
          </button>
        )
      })}
      <span className="grow" />
      <button type="button" className="det" onClick={onDetails}>
        Details
      </button>
      <button type="button" className="fol" aria-pressed={isFollowing} onClick={onFollow}>
        {isFollowing ? (
          isOver ? (
            'End of run'
          ) : (
            <>
              <span className="live" />
              Following
            </>
          )
        ) : (
          <>
            <Icon name="down" size={14} />
            <span className="word">
              {isOver ? 'To the end' : 'Follow live'}
              {newCount > 0 && ' · '}
            </span>
            {newCount > 0 && <span className="num">{formatNumber(newCount)} new</span>}
            <kbd aria-hidden="true">f</kbd>
          </>
        )}
      </button>
    </div>
  )
}
