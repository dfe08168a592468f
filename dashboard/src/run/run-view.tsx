import {useMemo, useRef, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useNow} from '../shell/now.ts'
import {Page} from '../shell/page.tsx'
import {Timeline, type TimelineActions} from '../timeline/timeline.tsx'
import {createRecordCache} from './record-cache.ts'
import {FeedColumn} from './feed-column.tsx'
import {Header} from './header.tsx'
import {PhoneTabs} from './phone-tabs.tsx'
import {Rail} from './rail.tsx'
import {ReplayBar} from './replay-bar.tsx'
import {RunContext} from './run-context.ts'
import {RunPanel} from './run-panel.tsx'
import styles from './run-view.module.css'
import type {RunSource} from './run-source.ts'
import {useDeepLink} from './use-deep-link.ts'
import {classNames} from '../ui/class-names.ts'
import {useStore} from '../ui/create-store.ts'
import {isRun} from '../ui/state.ts'
import {usePanels} from './use-panels.ts'
import {useReplay} from './use-replay.ts'
import {useRunAt} from './use-run-at.ts'
import {useRunKeys} from './use-run-keys.ts'
import {useSelection, type FeedActions} from './use-selection.ts'
import {PHONE, useMedia} from '../ui/use-media.ts'

/** The page of one run: header, timeline, feed and details. */
export function RunView({
  source,
  summary,
  canAct,
}: {
  source: RunSource
  /** Its current state. */
  summary: RunSummary
  /** Whether there is a hub, which knows other runs and takes commands. */
  canAct: boolean
}) {
  const feed = useRef<FeedActions>(null)
  const timeline = useRef<TimelineActions>(null)
  const {snapshot, loading} = useStore(source)
  const [bodies] = useState(() => createRecordCache(source))
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const isPhone = useMedia(PHONE)
  const isWide = useMedia('(min-width: 1600px)')
  const now = useNow()
  const panels = usePanels()
  const replay = useReplay()
  const {until} = replay
  const runAt = useRunAt(snapshot, summary, until)
  const {startedAt, endedAt, isOver, timelineData} = runAt
  const selection = useSelection(snapshot, {
    until,
    // A phone shows the start of a finished run first; its verdict is in the dock.
    isFollowing: summary.state !== 'over' || !isPhone,
    feed,
    onSelect: (id) => timeline.current?.reveal(id),
    onReveal: () => panels.actions.showPhoneTab('feed'),
  })
  const actions = useMemo(
    () => ({...panels.actions, ...replay.actions, ...selection.actions}),
    [panels.actions, replay.actions, selection.actions],
  )
  const isSessionOver = !isRun(summary) && summary.state === 'over' && loading.isCaughtUp
  const onReplay = snapshot.end === undefined && !isSessionOver ? undefined : toggleReplay
  useRunKeys(actions, {timeline, panels, replay, selection, onReplay})
  useDeepLink(actions, snapshot, loading.isCaughtUp)
  const cwd = snapshot.state.cwd ?? snapshot.start?.cwd
  const context = useMemo(
    () => ({source, bodies, startedAt, until, cwd, actions}),
    [source, bodies, startedAt, until, cwd, actions],
  )
  return (
    <RunContext value={context}>
      <Page title={summary.title} className={styles.page} isFullHeight>
        <div
          className={classNames(styles.scroll, until !== undefined && styles.isReplay)}
          ref={setScroller}
        >
          <Header runAt={runAt} canAct={canAct} onReplay={onReplay} />
          <div className={styles.workspace}>
            {isWide && canAct && <Rail runId={source.runId} />}
            <div className={styles.split}>
              <div className={styles.timeline}>
                {(!isPhone || panels.phoneTab === 'time') && (
                  <Timeline
                    ref={timeline}
                    data={timelineData}
                    selected={selection.selected}
                    onSelect={actions.reveal}
                    now={isOver || until !== undefined ? undefined : now}
                    cursor={until === undefined ? undefined : {at: until, onSeek: actions.seek}}
                  />
                )}
                {until !== undefined && (
                  <ReplayBar
                    startedAt={startedAt}
                    endedAt={endedAt ?? snapshot.lastAt}
                    at={until}
                    replay={replay}
                  />
                )}
              </div>
              <FeedColumn
                ref={feed}
                isPhoneView={panels.phoneTab === 'feed'}
                selection={selection}
                runAt={runAt}
                loading={loading}
                canAct={canAct}
                scroller={isPhone ? scroller : null}
              />
              <RunPanel runAt={runAt} panels={panels} />
            </div>
          </div>
        </div>
        <PhoneTabs tab={panels.phoneTab} onTab={actions.showPhoneTab} />
      </Page>
    </RunContext>
  )

  function toggleReplay(): void {
    if (until !== undefined) return actions.stopReplay()
    actions.deselect()
    actions.follow(true)
    actions.startReplay(startedAt)
  }
}
