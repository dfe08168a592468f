import type {FeedFilter} from '../model/rows.ts'
import common from '../ui/common.module.css'
import {formatNumber} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {LiveDot} from '../ui/live-dot.tsx'
import styles from './feed-bar.module.css'
import {useRun} from './run-context.ts'
import type {Selection} from './use-selection.ts'

const FILTERS: readonly (readonly [FeedFilter, string])[] = [
  ['all', 'All'],
  ['text', 'Text'],
  ['tools', 'Tools'],
  ['changes', 'Changes'],
  ['errors', 'Errors'],
  ['waits', 'Waits'],
]

/** The filter of the feed, and whether it follows. */
export function FeedBar({
  selection: {filter, counts, isFollowing},
  noun,
  isOver,
  newCount,
}: {
  selection: Selection
  /** The name for its end. */
  noun: 'run' | 'session'
  isOver: boolean
  /** How many entries arrived since it stopped following. */
  newCount: number
}) {
  const {filterRows, follow, openPanel} = useRun().actions
  return (
    <div className={styles.bar} role="toolbar" aria-label="Feed">
      {FILTERS.map(([id, word]) => {
        const count = id === 'all' || id === 'text' ? undefined : counts[id]
        return (
          <button
            key={id}
            type="button"
            aria-pressed={filter === id}
            className={id === 'errors' && counts.errors > 0 ? styles.hasErrors : undefined}
            onClick={() => filterRows(id)}
          >
            {word}{' '}
            {count !== undefined && <span className={styles.count}>{formatNumber(count)}</span>}
          </button>
        )
      })}
      <span className={common.grow} />
      <button
        type="button"
        className={styles.details}
        onClick={() => openPanel((isOpen) => !isOpen)}
      >
        Details
      </button>
      <button
        type="button"
        className={styles.follow}
        aria-pressed={isFollowing}
        onClick={() => follow(true)}
      >
        {isFollowing ? (
          isOver ? (
            `End of ${noun}`
          ) : (
            <>
              <LiveDot isSmall />
              Following
            </>
          )
        ) : (
          <>
            <Icon name="down" size={14} />
            <span className={styles.followWords}>
              {isOver ? 'To the end' : 'Follow live'}
              {newCount > 0 && ' · '}
            </span>
            {newCount > 0 && <span className={common.tabular}>{formatNumber(newCount)} new</span>}
            <kbd aria-hidden="true">f</kbd>
          </>
        )}
      </button>
    </div>
  )
}
