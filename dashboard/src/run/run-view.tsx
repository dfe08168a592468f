import {useMemo, useRef, useState, useSyncExternalStore} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useNow} from '../shell/now.ts'
import {Page} from '../shell/page.tsx'
import {Timeline, type TimelineActions} from '../timeline/timeline.tsx'
import {createRecordCache} from './record-cache.ts'
import {FeedColumn} from './feed-column.tsx'
import type {FeedActions} from './feed-actions.ts'
import {Header} from './header.tsx'
import {PhoneTabs} from './phone-tabs.tsx'
import {Rail} from './rail.tsx'
import {ReplayBar} from './replay-bar.tsx'
import {RunActionsContext, type RunActions} from './run-actions.ts'
import {RunContext, type RunContextValue} from './run-context.ts'
import {RunPanel} from './run-panel.tsx'
import styles from './run-view.module.css'
import type {RunSource} from './run-source.ts'
import {contextAt} from './summary-at.ts'
import {useDeepLink} from './use-deep-link.ts'
import {classNames} from '../ui/class-names.ts'
import {usePanels, type PanelActions} from './use-panels.ts'
import {useReplay, type ReplayActions} from './use-replay.ts'
import {useRunAt} from './use-run-at.ts'
import {useRunKeys} from './use-run-keys.ts'
import {useSelection, type SelectionActions} from './use-selection.ts'
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
  const snapshot = useSyncExternalStore(source.subscribe, source.getSnapshot)
  const loading = useSyncExternalStore(source.subscribe, source.getLoading)
  const [bodies] = useState(() => createRecordCache(source))
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const isPhone = useMedia(PHONE)
  const isWide = useMedia('(min-width: 1600px)')
  const now = useNow()
  const panels = usePanels()
  const replay = useReplay()
  const {until} = replay
  const {run, startedAt, endedAt, isOver, timelineData} = useRunAt(snapshot, summary, until)
  const selection = useSelection(snapshot, {
    until,
    // A phone shows the start of a finished run first; its verdict is in the dock.
    isFollowing: summary.state !== 'over' || !isPhone,
    feed,
    onSelect: (id) => timeline.current?.reveal(id),
    onReveal: () => panels.actions.showPhoneTab('feed'),
  })
  const actions = useActions(panels.actions, replay.actions, selection.actions)
  const canReplay = snapshot.end !== undefined
  const {selected} = selection
  const {isPlaying} = replay
  const {isPanelOpen} = panels
  useRunKeys(actions, {
    timeline,
    startedAt,
    canReplay,
    until,
    isPlaying,
    isPanelOpen,
    selected,
  })
  useDeepLink({
    snapshot,
    isCaughtUp: loading.isCaughtUp,
    onEntry: actions.reveal,
    onTab: actions.showTab,
    onLine: actions.showRecord,
    onMoment: actions.seek,
  })
  const cwd = snapshot.state.cwd ?? snapshot.start?.cwd
  const context = useMemo<RunContextValue>(
    () => ({source, bodies, until, cwd}),
    [source, bodies, until, cwd],
  )
  return (
    <RunActionsContext value={actions}>
      <RunContext value={context}>
        <Page title={summary.title} className={styles.page} isFullHeight>
          <div
            className={classNames(styles.scroll, until !== undefined && styles.isReplay)}
            ref={setScroller}
          >
            <Header
              run={run}
              context={contextAt(snapshot.spending, until ?? Number.POSITIVE_INFINITY)}
              maxCostUsd={snapshot.start?.limits?.maxCostUsd}
              at={until}
              canStop={canAct && until === undefined}
              onReplay={canReplay ? toggleReplay : undefined}
            />
            <div className={styles.workspace}>
              {isWide && canAct && <Rail runId={source.runId} />}
              <div className={styles.split}>
                <div className={styles.timeline}>
                  {(!isPhone || panels.phoneTab === 'time') && (
                    <Timeline
                      ref={timeline}
                      data={timelineData}
                      selected={selected}
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
                      isPlaying={isPlaying}
                      speed={replay.speed}
                      onSeek={actions.seek}
                      onPlay={actions.play}
                      onSpeed={actions.setSpeed}
                    />
                  )}
                </div>
                <FeedColumn
                  ref={feed}
                  isPhoneView={panels.phoneTab === 'feed'}
                  selection={selection}
                  snapshot={snapshot}
                  run={run}
                  startedAt={startedAt}
                  isOver={isOver}
                  until={until}
                  loading={loading}
                  isPanelOpen={isPanelOpen}
                  canAct={canAct}
                  scroller={isPhone ? scroller : null}
                />
                <RunPanel
                  isPhoneView={panels.phoneTab !== 'feed' && panels.phoneTab !== 'time'}
                  tab={panels.tab}
                  isOpen={isPanelOpen}
                  line={panels.line}
                  snapshot={snapshot}
                  run={run}
                  startedAt={startedAt}
                  endedAt={isOver ? endedAt : undefined}
                  until={until}
                />
              </div>
            </div>
          </div>
          <PhoneTabs tab={panels.phoneTab} onTab={actions.showPhoneTab} />
        </Page>
      </RunContext>
    </RunActionsContext>
  )

  function toggleReplay(): void {
    if (until === undefined) actions.startReplay(startedAt)
    else actions.stopReplay()
  }
}

/** Commands that stay the same for as long as the page is open. */
function useActions(
  panels: PanelActions,
  replay: ReplayActions,
  selection: SelectionActions,
): RunActions {
  return useMemo(
    () => ({
      ...panels,
      ...selection,
      ...replay,
      startReplay(at) {
        selection.deselect()
        selection.follow(true)
        replay.startReplay(at)
      },
    }),
    [panels, replay, selection],
  )
}
