import {useMemo, useRef, useState, useSyncExternalStore} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useNow} from '../shell/now.ts'
import {Page} from '../shell/page.tsx'
import {Timeline, type TimelineActions} from '../timeline/timeline.tsx'
import {createBodies} from './bodies.ts'
import {FeedColumn} from './feed-column.tsx'
import type {FeedActions} from './feed.tsx'
import {Header} from './header.tsx'
import {PhoneTabs} from './phone-tabs.tsx'
import {Rail} from './rail.tsx'
import {ReplayBar} from './replay-bar.tsx'
import {RunActionsContext, type RunActions} from './run-actions.ts'
import {RunPanel} from './run-panel.tsx'
import styles from './run-view.module.css'
import type {RunSource} from './run-source.ts'
import {SourceContext} from './source-context.ts'
import {useDeepLink} from './use-deep-link.ts'
import {classNames} from '../ui/class-names.ts'
import {useMedia} from '../ui/use-media.ts'
import {useRunKeys} from './use-run-keys.ts'
import {useRunView} from './use-run-view.ts'
import {PHONE} from './view-state.ts'

/** All of one run: what it is, when everything happened, what happened, and the details. */
export function RunView({
  source,
  summary,
  canAct,
}: {
  source: RunSource
  /** What holds of it now. */
  summary: RunSummary
  /** Whether there is a hub: for other runs, and to act through. */
  canAct: boolean
}) {
  const feed = useRef<FeedActions>(null)
  const timeline = useRef<TimelineActions>(null)
  const model = useRunView(source, summary, {feed, timeline})
  const loading = useSyncExternalStore(source.subscribe, source.getLoading)
  const [bodies] = useState(() => createBodies(source))
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const isPhone = useMedia(PHONE)
  const isWide = useMedia('(min-width: 1600px)')
  const now = useNow()
  const {view, change, snapshot, run, startedAt, isOver, showRecord} = model
  const {until} = view
  const cwd = snapshot.state.cwd ?? snapshot.start?.cwd
  useRunKeys(model, timeline)
  useDeepLink({
    snapshot,
    isCaughtUp: loading.isCaughtUp,
    onEntry: model.reveal,
    onTab: model.showTab,
    onLine: showRecord,
    onMoment: model.seek,
  })
  const actions = useMemo<RunActions>(
    () => ({bodies, until, cwd, showRecord}),
    [bodies, until, cwd, showRecord],
  )
  return (
    <SourceContext value={source}>
      <RunActionsContext value={actions}>
        <Page title={summary.title} className={styles.page} isFullHeight>
          <div
            className={classNames(styles.scroll, until !== undefined && styles.isReplay)}
            ref={setScroller}
          >
            <Header
              run={run}
              context={model.context}
              maxCostUsd={snapshot.start?.limits?.maxCostUsd}
              at={until}
              canStop={canAct && until === undefined}
              onReplay={model.canReplay ? model.replay : undefined}
            />
            <div className={styles.workspace}>
              {isWide && canAct && <Rail runId={source.runId} />}
              <div className={styles.split}>
                <div className={styles.timeline}>
                  {(!isPhone || view.phoneTab === 'time') && (
                    <Timeline
                      ref={timeline}
                      data={model.timelineData}
                      selected={view.selected}
                      onSelect={model.reveal}
                      now={isOver || until !== undefined ? undefined : now}
                      cursor={until === undefined ? undefined : {at: until, onSeek: model.seek}}
                    />
                  )}
                  {until !== undefined && (
                    <ReplayBar
                      startedAt={startedAt}
                      endedAt={model.endedAt ?? snapshot.lastAt}
                      at={until}
                      isPlaying={view.isPlaying}
                      speed={view.speed}
                      onSeek={model.seek}
                      onPlay={model.play}
                      onSpeed={(speed) => change({speed})}
                    />
                  )}
                </div>
                <FeedColumn
                  ref={feed}
                  model={model}
                  loading={loading}
                  canAct={canAct}
                  scroller={isPhone ? scroller : null}
                />
                <RunPanel model={model} />
              </div>
            </div>
          </div>
          <PhoneTabs tab={view.phoneTab} onTab={change} />
        </Page>
      </RunActionsContext>
    </SourceContext>
  )
}
