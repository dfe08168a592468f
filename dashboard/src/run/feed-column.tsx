import {useState, type Ref} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatShare} from '../ui/figures.ts'
import {isRun} from '../ui/state.ts'
import {Dock} from './dock.tsx'
import {FeedBar} from './feed-bar.tsx'
import styles from './feed-column.module.css'
import {Feed} from './feed.tsx'
import {useRun} from './run-context.ts'
import type {Loading} from './run-source.ts'
import type {RunAt} from './use-run-at.ts'
import type {FeedActions, Selection} from './use-selection.ts'

/** The feed with its filters above, and permission requests or the verdict below. */
export function FeedColumn({
  selection,
  runAt: {snapshot, run, isOver, until},
  loading,
  isPhoneView,
  canAct,
  scroller,
  ref,
}: {
  selection: Selection
  runAt: RunAt
  loading: Loading
  /** Whether a phone shows it instead of the timeline or a panel. */
  isPhoneView: boolean
  canAct: boolean
  /** The element that scrolls, when it is not the feed itself. */
  scroller: HTMLElement | null
  ref?: Ref<FeedActions> | undefined
}) {
  const {showRecord} = useRun().actions
  const {rows, filter, isFollowing} = selection
  const {count} = snapshot.records
  // Number of rows when the feed last followed.
  const [seenCount, setSeenCount] = useState(0)
  if (isFollowing && seenCount !== rows.length) setSeenCount(rows.length)
  // A page that was open while the run was live shows the verdict after the last record.
  const isUnended = canAct && snapshot.end === undefined && loading.error === undefined
  const [wasLive, setWasLive] = useState(false)
  if (isUnended && loading.isCaughtUp && !wasLive) setWasLive(true)
  const isAhead = isUnended && wasLive && run.state === 'over'
  return (
    <section
      className={classNames(styles.column, !isPhoneView && styles.isHiddenOnPhone)}
      aria-label="Feed"
    >
      <FeedBar
        selection={selection}
        noun={isRun(run) ? 'run' : 'session'}
        isOver={isOver && until === undefined}
        newCount={isOver ? 0 : rows.length - seenCount}
      />
      {!loading.isCaughtUp && loading.bytesTotal > 0 && (
        <output className={classNames(styles.loading, common.tabular)} data-part="loading">
          {describeLoading(loading, count)}
        </output>
      )}
      {loading.error !== undefined && (
        <p className={classNames(styles.loading, common.failed)} role="alert">
          {loading.error}
        </p>
      )}
      {rows.length === 0 && loading.isCaughtUp && (
        <p className={common.empty}>
          {filter === 'all'
            ? 'Nothing yet. Waiting for the agent’s first line.'
            : 'No matching entries'}
        </p>
      )}
      <Feed ref={ref} selection={selection} scroller={scroller} />
      {until === undefined && !isAhead && (
        <Dock run={run} canAct={canAct} onShowEvidence={() => showRecord(Math.max(1, count))} />
      )}
    </section>
  )
}

function describeLoading({preview, bytesRead, bytesTotal}: Loading, count: number): string {
  const share = formatShare(bytesRead / bytesTotal)
  return preview === undefined
    ? `${count.toLocaleString('en')} records, ${share} of the recording`
    : `The last ${count.toLocaleString('en')} of ${preview.of.toLocaleString('en')} records; loaded ${share} of the recording`
}
