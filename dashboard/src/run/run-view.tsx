import {useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore} from 'react'
import type {RunSummary} from '../../../src/core/index.ts'
import {isError, type Entry} from '../model/entry.ts'
import {countEntries, listRows, type Row} from '../model/rows.ts'
import {describeTimeline} from '../model/timeline-builder.ts'
import {useCommands} from '../shell/commands.ts'
import {useKeys} from '../shell/keys.ts'
import {useNow} from '../shell/now.ts'
import {Page} from '../shell/page.tsx'
import {updateQuery} from '../shell/router.ts'
import {Timeline, type TimelineActions} from '../timeline/timeline.tsx'
import {formatCost, formatShare} from '../ui/figures.ts'
import {Icon, type IconName} from '../ui/icon.tsx'
import {countDone} from '../ui/plan-segments.tsx'
import {createBodies} from './bodies.ts'
import {listChangedFiles} from './changed-files.ts'
import {Dock} from './dock.tsx'
import {FeedBar} from './feed-bar.tsx'
import {Feed, type FeedActions} from './feed.tsx'
import {FilesPanel} from './files-panel.tsx'
import {Header} from './header.tsx'
import {Panel} from './panel.tsx'
import {PlanPanel} from './plan-panel.tsx'
import {Rail} from './rail.tsx'
import {RawPanel} from './raw-panel.tsx'
import {ReplayBar} from './replay-bar.tsx'
import './run.css'
import {RunActionsContext, type RunActions} from './run-actions.ts'
import type {RunSource} from './run-source.ts'
import {SourceContext} from './source-context.ts'
import {StatsPanel} from './stats-panel.tsx'
import {sampleAt, summarizeAt} from './summary-at.ts'
import {useDeepLink} from './use-deep-link.ts'
import {useMedia} from './use-media.ts'
import {
  initialView,
  isOpen,
  SPEEDS,
  type PanelTab,
  type PhoneTab,
  type ViewState,
} from './view-state.ts'

const PHONE_TABS: readonly (readonly [PhoneTab, IconName, string])[] = [
  ['feed', 'list', 'Feed'],
  ['time', 'time', 'Timeline'],
  ['files', 'files', 'Files'],
  ['stats', 'chart', 'Stats'],
  ['raw', 'raw', 'Raw'],
]

/** All of one run: what it is, when everything happened, what happened, and the details. */
export function RunView({
  source,
  summary,
  canAct,
}: {
  source: RunSource
  /** What the hub says of it now. */
  summary: RunSummary
  /** Whether there is a hub: for other runs, and to act through. */
  canAct: boolean
}) {
  const version = useSyncExternalStore(source.subscribe, source.getVersion)
  const {model, loading} = source
  const [view, setView] = useState<ViewState>(initialView)
  const change = useCallback(
    (changes: Partial<ViewState>) => setView((before) => ({...before, ...changes})),
    [],
  )
  const [bodies] = useState(() => createBodies(source))
  const [main, setMain] = useState<HTMLElement | null>(null)
  const feed = useRef<FeedActions>(null)
  const timeline = useRef<TimelineActions>(null)
  const isPhone = useMedia('(max-width: 767px)')
  const isWide = useMedia('(min-width: 1600px)')
  const isPinned = useMedia('(min-width: 2300px)')
  const {until, filter, opened, selected, tab, isFollowing} = view
  const isOver = model.end !== undefined
  const now = useNow()
  const startedAt = model.start?.startedAt ?? summary.startedAt
  const endedAt = model.end?.at ?? model.lastAt
  const run = useMemo(
    () =>
      until === undefined
        ? summary
        : {...summary, ...summarizeAt(source.runId, model, until), title: summary.title},
    // The model changes in place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [summary, until, source, model, version],
  )
  const lastEdit = useMemo(() => findLastEdit(model.entries, until), [model, version, until])
  const open = useCallback(({entry}: Row) => isOpen(entry, opened, lastEdit), [opened, lastEdit])
  const rows = useMemo(
    () => listRows(model, {filter, until, isUnfolded: (entry) => isOpen(entry, opened, undefined)}),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [model, version, filter, until, opened],
  )
  const counts = useMemo(() => countEntries(model.entries, until), [model, version, until])
  const files = useMemo(() => listChangedFiles(model, until), [model, version, until])
  const state = until === undefined ? model.state : model.stateAt(until)
  const sample = sampleAt(model.spending, until ?? Number.POSITIVE_INFINITY)
  const data = useMemo(
    () =>
      describeTimeline(
        model.timeline,
        {startedAt, endedAt: isOver ? endedAt : undefined, until},
        ({kind, tools}) => ({
          detail:
            kind === 'main'
              ? [run.model, `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`]
                  .filter(Boolean)
                  .join(' · ')
              : `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
          silentSince:
            kind === 'main' && run.waiting?.why === 'silent' && run.isStuck
              ? run.waiting.since
              : undefined,
        }),
      ),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [model, version, until, startedAt, isOver, run.model, run.isStuck, run.waiting?.why],
  )
  const [seenCount, setSeenCount] = useState(0)
  if (isFollowing && seenCount !== rows.length) setSeenCount(rows.length)

  const select = useCallback(
    (id: number, isToBeShown = false) => {
      change({selected: id})
      timeline.current?.reveal(id)
      const entry = model.entries[id]
      updateQuery({
        at: undefined,
        tool: entry?.type === 'tool' ? entry.toolId : undefined,
        line: entry?.type === 'tool' ? undefined : String(entry?.line ?? ''),
      })
      if (isToBeShown) requestReveal(id)
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [change, model, rows],
  )
  const [wanted, setWanted] = useState<number | undefined>(undefined)
  function requestReveal(id: number): void {
    // What is in a folded sub-agent is unfolded first.
    const parents = listParents(model.findTool, model.entries[id])
    setView((before) => ({
      ...before,
      isFollowing: false,
      filter: rows.some(({entry}) => entry.id === id) ? before.filter : 'all',
      opened: new Map([...before.opened, ...parents.map((parent) => [parent, true] as const)]),
    }))
    setWanted(id)
  }
  useEffect(() => {
    if (wanted === undefined) return
    const index = rows.findIndex(({entry}) => entry.id === wanted)
    if (index < 0) return
    feed.current?.reveal(index)
    setWanted(undefined)
  }, [wanted, rows])
  useDeepLink({
    model,
    version,
    isCaughtUp: loading.isCaughtUp,
    onEntry: (id) => select(id, true),
    onTab: showTab,
    onMoment: (at) => change({until: at}),
    onLine: showRecord,
  })

  const index = rows.findIndex(({entry}) => entry.id === selected)
  const step = (by: number) => {
    const from = index === -1 ? (by > 0 ? -1 : rows.length) : index
    const next = rows[Math.max(0, Math.min(rows.length - 1, from + by))]
    if (next !== undefined) select(next.entry.id, true)
  }
  const goToError = (by: 1 | -1) => {
    const list = by === 1 ? model.entries : model.entries.toReversed()
    const isPast = (entry: Entry) =>
      by === 1 ? entry.id > (selected ?? -1) : entry.id < (selected ?? Number.POSITIVE_INFINITY)
    const seen = list.filter(
      (entry) =>
        isError(entry) && entry.type !== 'end' && (until === undefined || entry.at <= until),
    )
    const next = seen.find(isPast) ?? seen[0]
    if (next === undefined) return false
    select(next.id, true)
    return true
  }
  const toggle = useCallback((id: number, isNowOpen: boolean) => {
    setView((before) => ({...before, opened: new Map(before.opened).set(id, isNowOpen)}))
  }, [])
  const toggleSelected = (to?: boolean) => {
    const row = rows[index]
    if (row === undefined) return false
    toggle(row.entry.id, to ?? !open(row))
    return true
  }
  function showTab(next: PanelTab): void {
    change({tab: next, phoneTab: next, isPanelOpen: true})
    updateQuery({tab: next})
  }
  function showRecord(line: number): void {
    change({line, tab: 'raw', phoneTab: 'raw', isPanelOpen: true})
    updateQuery({tab: 'raw', line: String(line)})
  }
  const showRaw = () => {
    const line = rows[index]?.entry.line
    if (line === undefined || line === 0) showTab('raw')
    else showRecord(line)
  }
  const replay = () =>
    change(
      until === undefined
        ? {until: startedAt, isPlaying: true, isFollowing: true, selected: undefined}
        : {until: undefined, isPlaying: false},
    )
  const setSpeed = (by: number) => {
    const next = SPEEDS[SPEEDS.indexOf(view.speed) + by]
    if (next !== undefined) change({speed: next})
  }
  const seek = useCallback((at: number) => change({until: at}), [change])
  const play = useCallback((isPlaying: boolean) => change({isPlaying}), [change])
  const follow = useCallback((to: boolean) => change({isFollowing: to}), [change])

  useKeys('Run', {
    j: {
      words: 'next entry',
      hint: 'move',
      also: ['ArrowDown'],
      canRepeat: true,
      act: () => step(1),
    },
    k: {
      words: 'previous entry',
      hint: 'move',
      also: ['ArrowUp'],
      canRepeat: true,
      act: () => step(-1),
    },
    Enter: {words: 'open or fold', hint: 'open', act: () => toggleSelected()},
    l: {words: 'unfold', act: () => toggleSelected(true)},
    h: {words: 'fold', act: () => toggleSelected(false)},
    e: {words: 'next error', hint: 'next error', act: () => goToError(1)},
    E: {words: 'previous error', act: () => goToError(-1)},
    f: {
      words: 'follow live',
      hint: 'follow',
      act: () => change({isFollowing: true, phoneTab: 'feed'}),
    },
    '1': {words: 'files', act: () => showTab('files')},
    '2': {words: 'plan', act: () => showTab('plan')},
    '3': {words: 'stats', act: () => showTab('stats')},
    '4': {words: 'raw record of the selection', act: showRaw},
    '+': {words: 'zoom in', hint: 'zoom', also: ['='], act: () => timeline.current?.zoomIn()},
    '-': {words: 'zoom out', hint: 'zoom', act: () => timeline.current?.zoomOut()},
    '0': {words: 'fit the timeline', act: () => timeline.current?.fit()},
    Escape: {
      words: 'close the panel, end the replay, select nothing',
      act() {
        if (view.isPanelOpen && !isPhone) change({isPanelOpen: false})
        else if (until !== undefined) change({until: undefined, isPlaying: false})
        else if (selected !== undefined) change({selected: undefined})
        else return false
        return true
      },
    },
    ...(isOver && {
      ' ': {
        words: 'play or pause a replay',
        act: () => (until === undefined ? replay() : play(!view.isPlaying)),
      },
      ',': {words: 'replay slower', act: () => setSpeed(-1)},
      '.': {words: 'replay faster', act: () => setSpeed(1)},
    }),
  })
  useCommands('This run', [
    {
      id: 'error',
      title: 'Go to next error',
      icon: 'stuck',
      keys: 'e',
      run: () => void goToError(1),
    },
    {
      id: 'files',
      title: 'Show files and diffs',
      icon: 'files',
      keys: '1',
      run: () => showTab('files'),
    },
    {
      id: 'plan',
      title: 'Show plan and sub-agents',
      icon: 'plan',
      keys: '2',
      run: () => showTab('plan'),
    },
    {id: 'stats', title: 'Show figures', icon: 'chart', keys: '3', run: () => showTab('stats')},
    {id: 'raw', title: 'Show raw record of selection', icon: 'raw', keys: '4', run: showRaw},
    {
      id: 'follow',
      title: 'Follow live',
      icon: 'down',
      keys: 'f',
      run: () => change({isFollowing: true}),
    },
    ...(isOver
      ? [
          {
            id: 'replay',
            title: until === undefined ? 'Replay' : 'End replay',
            icon: 'play' as const,
            run: replay,
          },
        ]
      : []),
  ])

  const actions = useMemo<RunActions>(() => ({bodies, until, showRecord}), [bodies, until])
  const stats = (
    <StatsPanel
      model={model}
      version={version}
      until={until}
      startedAt={startedAt}
      endedAt={isOver ? endedAt : now}
      run={run}
    />
  )
  return (
    <SourceContext value={source}>
      <RunActionsContext value={actions}>
        <Page title={summary.title} className="run">
          <div className="run-scroll" ref={setMain}>
            <Header
              run={run}
              context={sample?.context}
              maxCostUsd={model.start?.limits?.maxCostUsd}
              at={until}
              canStop={canAct && until === undefined}
              onReplay={isOver ? replay : undefined}
            />
            <div className="work" data-m={view.phoneTab}>
              {isWide && canAct && <Rail runId={source.runId} />}
              <div className="split">
                <div className="tlw">
                  {(!isPhone || view.phoneTab === 'time') && (
                    <Timeline
                      ref={timeline}
                      data={data}
                      selected={selected}
                      onSelect={(id) => {
                        if (isPhone) change({phoneTab: 'feed'})
                        select(id, true)
                      }}
                      now={isOver || until !== undefined ? undefined : now}
                      cursor={until === undefined ? undefined : {at: until, onSeek: seek}}
                    />
                  )}
                  {until !== undefined && (
                    <ReplayBar
                      startedAt={startedAt}
                      endedAt={endedAt}
                      at={until}
                      isPlaying={view.isPlaying}
                      speed={view.speed}
                      onSeek={seek}
                      onPlay={play}
                      onSpeed={(speed) => change({speed})}
                    />
                  )}
                </div>
                <section className="feedw" aria-label="Feed">
                  <FeedBar
                    filter={filter}
                    counts={counts}
                    isOver={isOver}
                    isFollowing={isFollowing}
                    newCount={rows.length - seenCount}
                    onFilter={(to) => change({filter: to})}
                    onFollow={() => change({isFollowing: true})}
                    onDetails={() => change({isPanelOpen: !view.isPanelOpen})}
                  />
                  {!loading.isCaughtUp && loading.bytesTotal > 0 && (
                    <p className="loading num" role="status">
                      {model.records.count.toLocaleString('en')} records loaded,{' '}
                      {formatShare(loading.bytesRead / loading.bytesTotal)}
                    </p>
                  )}
                  {loading.trouble !== undefined && (
                    <p className="loading x" role="alert">
                      {loading.trouble}
                    </p>
                  )}
                  {rows.length === 0 && loading.isCaughtUp && (
                    <p className="none">
                      {filter === 'all'
                        ? 'Nothing yet. Waiting for the agent’s first line.'
                        : 'Nothing of that kind.'}
                    </p>
                  )}
                  <Feed
                    ref={feed}
                    rows={rows}
                    selected={selected}
                    isOpen={open}
                    isFollowing={isFollowing}
                    startedAt={startedAt}
                    until={until}
                    onSelect={select}
                    onToggle={toggle}
                    onFollow={follow}
                    scroller={isPhone ? main : null}
                  />
                  {until === undefined && (
                    <Dock
                      run={run}
                      canAct={canAct}
                      onShowEvidence={() => showRecord(Math.max(1, model.records.count))}
                    />
                  )}
                </section>
                <Panel
                  tab={isPinned && tab === 'stats' ? 'files' : tab}
                  counts={{
                    files: String(files.length),
                    plan:
                      state.plan.length === 0
                        ? undefined
                        : `${countDone(state.plan)}/${state.plan.length}`,
                    stats:
                      run.costUsd === null ? undefined : formatCost(run.costUsd, run.isEstimate),
                  }}
                  isOpen={view.isPanelOpen}
                  isPinned={isPinned}
                  onTab={showTab}
                  onClose={() => change({isPanelOpen: false})}
                  stats={stats}
                >
                  {tab === 'files' || (isPinned && tab === 'stats') ? (
                    <FilesPanel files={files} onSelect={(id) => select(id, true)} />
                  ) : tab === 'plan' ? (
                    <PlanPanel state={state} now={until ?? (isOver ? endedAt : now)} />
                  ) : tab === 'stats' ? (
                    stats
                  ) : (
                    <RawPanel
                      records={model.records}
                      version={version}
                      startedAt={startedAt}
                      until={until}
                      line={view.line}
                      onLine={(line) => change({line})}
                    />
                  )}
                </Panel>
              </div>
            </div>
          </div>
          <nav className="mtabs" aria-label="Views">
            {PHONE_TABS.map(([id, icon, word]) => (
              <button
                key={id}
                type="button"
                aria-current={view.phoneTab === id ? 'page' : undefined}
                onClick={() =>
                  change(id === 'feed' || id === 'time' ? {phoneTab: id} : {phoneTab: id, tab: id})
                }
              >
                <Icon name={icon} />
                {word}
              </button>
            ))}
          </nav>
        </Page>
      </RunActionsContext>
    </SourceContext>
  )
}

function findLastEdit(entries: readonly Entry[], until: number | undefined): number | undefined {
  return entries.findLast(
    (entry) =>
      entry.type === 'tool' &&
      (entry.tool === 'Edit' || entry.tool === 'Write') &&
      (until === undefined || entry.at <= until),
  )?.id
}

/** The sub-agents that an entry is in, the outermost last. */
function listParents(
  findTool: (toolId: string) => Entry | undefined,
  entry: Entry | undefined,
): number[] {
  const parents: number[] = []
  for (let parentId = entry?.parentId; parentId !== undefined;) {
    const parent = findTool(parentId)
    if (parent === undefined || parents.includes(parent.id)) break
    parents.push(parent.id)
    parentId = parent.parentId
  }
  return parents
}
