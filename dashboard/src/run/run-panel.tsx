import {useMemo} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {useNow} from '../shell/now.ts'
import {formatCost} from '../ui/figures.ts'
import {countDone} from '../ui/plan-segments.tsx'
import {useMedia} from '../ui/use-media.ts'
import {listChangedFiles} from './changed-files.ts'
import {FilesPanel} from './files-panel.tsx'
import {Panel} from './panel.tsx'
import {PlanPanel} from './plan-panel.tsx'
import {RawPanel} from './raw-panel.tsx'
import {useRunActions} from './run-actions.ts'
import {StatsPanel} from './stats-panel.tsx'
import type {PanelTab} from './use-panels.ts'

/** The details of a run beside its feed. */
export function RunPanel({
  tab: chosen,
  isOpen,
  isPhoneView,
  line,
  snapshot,
  run,
  startedAt,
  endedAt,
  until,
}: {
  tab: PanelTab
  isOpen: boolean
  /** Whether a phone shows it instead of the feed or the timeline. */
  isPhoneView: boolean
  /** The selected record. */
  line: number | undefined
  snapshot: RunSnapshot
  run: RunSummary
  startedAt: number
  /** Absent while the run is live. */
  endedAt: number | undefined
  until: number | undefined
}) {
  const {reveal, showTab, selectRecord, openPanel} = useRunActions()
  const isPinned = useMedia('(min-width: 2300px)')
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
  const tab = isPinned && chosen === 'stats' ? 'files' : chosen
  const stats = (
    <StatsPanel snapshot={snapshot} until={until} startedAt={startedAt} at={at} run={run} />
  )
  return (
    <Panel
      tab={tab}
      counts={{
        files: String(files.length),
        plan: plan.length === 0 ? undefined : `${countDone(plan)}/${plan.length}`,
        stats: run.costUsd === null ? undefined : formatCost(run.costUsd, run.isEstimate),
      }}
      isOpen={isOpen}
      isPinned={isPinned}
      isPhoneView={isPhoneView}
      onTab={showTab}
      onClose={() => openPanel(false)}
      stats={stats}
    >
      {tab === 'files' && <FilesPanel files={files} onSelect={reveal} />}
      {tab === 'plan' && <PlanPanel state={state} now={at} />}
      {tab === 'stats' && stats}
      {tab === 'raw' && (
        <RawPanel
          snapshot={snapshot}
          startedAt={startedAt}
          until={until}
          line={line}
          onLine={selectRecord}
        />
      )}
    </Panel>
  )
}
