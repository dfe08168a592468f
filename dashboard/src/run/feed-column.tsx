import {useState, type Ref} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatShare} from '../ui/figures.ts'
import {Dock} from './dock.tsx'
import {FeedBar} from './feed-bar.tsx'
import styles from './feed-column.module.css'
import {Feed, type FeedActions} from './feed.tsx'
import type {Loading} from './run-source.ts'
import type {RunViewModel} from './use-run-view.ts'

/** The feed with what chooses from it above, and what asks or concludes below. */
export function FeedColumn({
  model,
  loading,
  canAct,
  scroller,
  ref,
}: {
  model: RunViewModel
  loading: Loading
  canAct: boolean
  /** What scrolls, when it is not the feed itself. */
  scroller: HTMLElement | null
  ref?: Ref<FeedActions> | undefined
}) {
  const {view, change, rows, snapshot} = model
  const {filter, isFollowing, until} = view
  const {count} = snapshot.records
  // How many rows there were when somebody last followed.
  const [seenCount, setSeenCount] = useState(0)
  if (isFollowing && seenCount !== rows.length) setSeenCount(rows.length)
  // Whoever has seen a run go on sees how it ended after all that came before.
  const isUnended = canAct && snapshot.end === undefined && loading.trouble === undefined
  const [hasSeenItGoOn, setSeenItGoOn] = useState(false)
  if (isUnended && loading.isCaughtUp && !hasSeenItGoOn) setSeenItGoOn(true)
  const isAhead = isUnended && hasSeenItGoOn && model.run.state === 'over'
  return (
    <section
      className={classNames(styles.column, view.phoneTab !== 'feed' && styles.isHiddenOnPhone)}
      aria-label="Feed"
    >
      <FeedBar
        filter={filter}
        counts={model.counts}
        isOver={model.isOver && until === undefined}
        isFollowing={isFollowing}
        newCount={model.isOver ? 0 : rows.length - seenCount}
        onFilter={(to) => change({filter: to})}
        onFollow={() => change({isFollowing: true})}
        onDetails={() => change({isPanelOpen: !view.isPanelOpen})}
      />
      {!loading.isCaughtUp && loading.bytesTotal > 0 && (
        <output className={classNames(styles.loading, common.tabular)} data-part="loading">
          {describeLoading(loading, count)}
        </output>
      )}
      {loading.trouble !== undefined && (
        <p className={classNames(styles.loading, common.failed)} role="alert">
          {loading.trouble}
        </p>
      )}
      {rows.length === 0 && loading.isCaughtUp && (
        <p className={common.empty}>
          {filter === 'all'
            ? 'Nothing yet. Waiting for the agent’s first line.'
            : 'Nothing of that kind.'}
        </p>
      )}
      <Feed
        ref={ref}
        rows={rows}
        selected={view.selected}
        isOpen={model.isRowOpen}
        isFollowing={isFollowing}
        startedAt={model.startedAt}
        until={until}
        onSelect={model.select}
        onToggle={model.toggle}
        onFollow={model.follow}
        scroller={scroller}
      />
      {until === undefined && !isAhead && (
        <Dock
          run={model.run}
          canAct={canAct}
          onShowEvidence={() => model.showRecord(Math.max(1, count))}
        />
      )}
    </section>
  )
}

function describeLoading({preview, bytesRead, bytesTotal}: Loading, count: number): string {
  const share = formatShare(bytesRead / bytesTotal)
  return preview === undefined
    ? `${count.toLocaleString('en')} records, ${share} of the recording`
    : `The last ${count.toLocaleString('en')} of ${preview.of.toLocaleString('en')} records; on its way: ${share} of the recording`
}
