import {useMemo} from 'react'
import type {SubAgentSpent} from '../../../src/replay/run-item.ts'
import {listModelCosts} from '../stats/model-costs.ts'
import {ModelTable} from '../stats/model-table.tsx'
import styles from '../stats/section.module.css'
import {Section} from '../stats/section.tsx'
import {SpendingCharts} from '../stats/spending-charts.tsx'
import {subAgentCostsAt} from '../stats/sub-agent-costs.ts'
import {SubAgentTable} from '../stats/sub-agent-table.tsx'
import {TimeBar} from '../stats/time-bar.tsx'
import {splitTime} from '../stats/time-spent.ts'
import {countTools, type ToolStat} from '../stats/tool-stats.ts'
import {ToolTable} from '../stats/tool-table.tsx'
import {toFitView} from '../ui/scale.ts'
import {useThrottled} from '../timeline/use-throttled.ts'
import common from '../ui/common.module.css'
import {formatCost, formatCount, formatNumber, formatTime} from '../ui/figures.ts'
import type {RunAt} from './use-run-at.ts'

/** Throttles the statistics while many records arrive. */
const THROTTLE_MS = 300

export function StatsPanel({
  runAt: {snapshot: latest, until, startedAt, run},
  at: wanted,
}: {
  runAt: RunAt
  /** The end of the shown time. */
  at: number
}) {
  const snapshot = useThrottled(latest, THROTTLE_MS)
  const {entries, end, timeline, spending, lastAt} = snapshot
  // An ended run that is not completely loaded has partial statistics.
  const isComing = end === undefined && run.state === 'over'
  const at = isComing ? lastAt : wanted
  const endedAt = end?.at ?? run.endedAt
  const state = until === undefined ? snapshot.state : snapshot.stateAt(until)
  // Without open calls, time does not change the statistics of tools.
  const goesOn = state.openTools.length > 0 || until !== undefined
  const openAt = goesOn ? at : lastAt
  const stats = useMemo(
    () => countTools(entries, {until, at: openAt}),
    // The list grows in place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [snapshot, until, openAt],
  )
  const spent = useMemo(
    () => splitTime(timeline.lanes[0], startedAt, at),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [snapshot, startedAt, at],
  )
  const models = listModelCosts(state.ledger, run)
  const subAgentCosts = useMemo(
    () => subAgentCostsAt(snapshot.subAgentSpending, until ?? Number.POSITIVE_INFINITY),
    [snapshot, until],
  )
  const axisEnd = endedAt ?? toFitView(startedAt, Math.max(at, lastAt), true).end
  if (spending.length === 0 && run.toolCount === 0 && stats.length === 0 && run.costUsd === null) {
    return (
      <p className={common.empty}>
        {end === undefined
          ? 'No tokens, cost or tools reported yet'
          : 'No tokens, cost or tools were reported'}
      </p>
    )
  }
  return (
    <div className={styles.stats}>
      <SpendingCharts
        snapshot={snapshot}
        until={until}
        startedAt={startedAt}
        at={at}
        end={axisEnd}
        run={run}
        reasoning={state.ledger.tokens?.reasoning}
      />
      <Section title="Time" fact={formatTime(Math.max(0, at - startedAt))}>
        <TimeBar spent={spent} />
      </Section>
      {stats.length > 0 && (
        <Section title="Tools" fact={describeCalls(stats)}>
          <ToolTable stats={stats} />
        </Section>
      )}
      {models.length > 0 && (
        <Section title="Models">
          <ModelTable costs={models} />
        </Section>
      )}
      {state.subAgents.length > 0 && (
        <Section title="Sub-agents" fact={describeShares(subAgentCosts)}>
          <SubAgentTable subAgents={state.subAgents} costs={subAgentCosts} at={at} />
        </Section>
      )}
    </div>
  )
}

/** Their total cost, as far as known. */
function describeShares(costs: ReadonlyMap<string, SubAgentSpent>): string {
  if (costs.size === 0) return 'costs not reported'
  const all = [...costs.values()]
  const isKnown = all.every(({costUsd}) => costUsd !== null)
  const sum = all.reduce((total, {costUsd}) => total + (costUsd ?? 0), 0)
  return isKnown ? `${formatCost(sum, true)} together` : 'a price is unknown'
}

function describeCalls(stats: readonly ToolStat[]): string {
  const calls = stats.reduce((sum, {count}) => sum + count, 0)
  const failed = stats.reduce((sum, one) => sum + one.failed, 0)
  const words = formatCount(calls, 'call')
  return failed === 0 ? words : `${words} · ${formatNumber(failed)} failed`
}
