import {useMemo} from 'react'
import {useNow} from '../shell/now.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost} from '../ui/figures.ts'
import {Icon, type IconName} from '../ui/icon.tsx'
import {countDone} from '../ui/plan-segments.tsx'
import {useMedia} from '../ui/use-media.ts'
import {listChangedFiles} from './changed-files.ts'
import {FilesPanel} from './files-panel.tsx'
import styles from './panel.module.css'
import {PlanPanel} from './plan-panel.tsx'
import {RawPanel} from './raw-panel.tsx'
import {useRun} from './run-context.ts'
import {StatsPanel} from './stats-panel.tsx'
import type {Panels, PanelTab} from './use-panels.ts'
import type {RunAt} from './use-run-at.ts'

const TABS: readonly (readonly [PanelTab, IconName, string])[] = [
  ['files', 'files', 'Files'],
  ['plan', 'plan', 'Plan'],
  ['stats', 'chart', 'Stats'],
  ['raw', 'raw', 'Raw'],
]

/** The details of a run beside its feed, one tab at a time; on a wide screen the stats are always beside them. */
export function RunPanel({runAt, panels}: {runAt: RunAt; panels: Panels}) {
  const {snapshot, run, until, endedAt} = runAt
  const {phoneTab} = panels
  const {openPanel, showTab} = useRun().actions
  const areStatsPinned = useMedia('(min-width: 2300px)')
  const now = useNow()
  const at = until ?? endedAt ?? now
  const {entries, fileVersion} = snapshot
  const files = useMemo(
    () => listChangedFiles(snapshot, until),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- slow for a long run, and few changes of a run are about files
    [entries, fileVersion, until],
  )
  const state = until === undefined ? snapshot.state : snapshot.stateAt(until)
  const {plan} = state
  const counts: Partial<Record<PanelTab, string>> = {
    files: String(files.length),
    ...(plan.length > 0 && {plan: `${countDone(plan)}/${plan.length}`}),
    ...(run.costUsd !== null && {stats: formatCost(run.costUsd, run.isEstimate)}),
  }
  const tabs = areStatsPinned ? TABS.filter(([id]) => id !== 'stats') : TABS
  const tab = areStatsPinned && panels.tab === 'stats' ? 'files' : panels.tab
  const stats = <StatsPanel runAt={runAt} at={at} />
  return (
    <aside
      className={classNames(
        styles.panel,
        panels.isPanelOpen && styles.isOpen,
        phoneTab !== 'feed' && phoneTab !== 'time' && styles.isPhoneView,
      )}
      aria-label="Details"
    >
      <h2 className={common.visuallyHidden}>Details</h2>
      <div className={styles.tabs} role="tablist" aria-label="Details">
        {tabs.map(([id, icon, word], index) => (
          <button
            key={id}
            type="button"
            role="tab"
            className={styles.tab}
            id={`tab-${id}`}
            aria-selected={tab === id}
            aria-controls="panel"
            tabIndex={tab === id ? 0 : -1}
            onClick={() => showTab(id)}
            onKeyDown={({key}) => {
              if (key === 'ArrowRight') focusTab(index + 1)
              if (key === 'ArrowLeft') focusTab(index - 1)
            }}
          >
            <Icon name={icon} size={14} />
            {word} {counts[id] !== undefined && <small>{counts[id]}</small>}
          </button>
        ))}
        <span className={common.grow} />
        <Button
          kind="quiet"
          size="icon"
          className={styles.close}
          aria-label="Close details"
          onClick={() => openPanel(false)}
        >
          <Icon name="chev" />
        </Button>
      </div>
      <div className={classNames(styles.views, areStatsPinned && styles.hasStats)}>
        <div
          className={styles.view}
          data-tab={tab}
          role="tabpanel"
          id="panel"
          aria-labelledby={`tab-${tab}`}
          // A panel without focusable content scrolls by key itself.
          tabIndex={tab === 'stats' || tab === 'plan' ? 0 : undefined}
        >
          {tab === 'files' && <FilesPanel files={files} />}
          {tab === 'plan' && <PlanPanel state={state} now={at} />}
          {tab === 'stats' && stats}
          {tab === 'raw' && <RawPanel snapshot={snapshot} line={panels.line} />}
        </div>
        {areStatsPinned && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by key and has no focusable content
          <section className={styles.view} aria-label="Stats" tabIndex={0}>
            {stats}
          </section>
        )}
      </div>
    </aside>
  )

  function focusTab(index: number): void {
    const next = tabs.at(index % tabs.length)
    if (next === undefined) return
    showTab(next[0])
    document.getElementById(`tab-${next[0]}`)?.focus()
  }
}
