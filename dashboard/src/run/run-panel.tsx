import {useNow} from '../shell/now.ts'
import {formatCost} from '../ui/figures.ts'
import {countDone} from '../ui/plan-segments.tsx'
import {FilesPanel} from './files-panel.tsx'
import {Panel} from './panel.tsx'
import {PlanPanel} from './plan-panel.tsx'
import {RawPanel} from './raw-panel.tsx'
import {StatsPanel} from './stats-panel.tsx'
import {useMedia} from '../ui/use-media.ts'
import type {RunViewModel} from './use-run-view.ts'

/** The details of a run beside its feed. */
export function RunPanel({model}: {model: RunViewModel}) {
  const {view, change, snapshot, run, state, files, startedAt, isOver, endedAt} = model
  const {until, line} = view
  const isPinned = useMedia('(min-width: 2300px)')
  const now = useNow()
  const at = until ?? (isOver ? endedAt : undefined) ?? now
  const {plan} = state
  const tab = isPinned && view.tab === 'stats' ? 'files' : view.tab
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
      isOpen={view.isPanelOpen}
      isPinned={isPinned}
      isPhoneView={view.phoneTab !== 'feed' && view.phoneTab !== 'time'}
      onTab={model.showTab}
      onClose={() => change({isPanelOpen: false})}
      stats={stats}
    >
      {tab === 'files' && <FilesPanel files={files} onSelect={model.reveal} />}
      {tab === 'plan' && <PlanPanel state={state} now={at} />}
      {tab === 'stats' && stats}
      {tab === 'raw' && (
        <RawPanel
          snapshot={snapshot}
          startedAt={startedAt}
          until={until}
          line={line}
          onLine={(chosen) => change({line: chosen})}
        />
      )}
    </Panel>
  )
}
