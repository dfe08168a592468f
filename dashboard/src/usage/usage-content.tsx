import {useMemo} from 'react'
import type {UsageOverview} from '../hub/usage-api.ts'
import {ActivityPanel} from './activity-panel.tsx'
import {filterCells} from './amounts.ts'
import {BlockPanel} from './block-panel.tsx'
import {DailyPanel} from './daily-panel.tsx'
import {formatDay, type Day} from './days.ts'
import {KeyFigures} from './key-figures.tsx'
import type {Names} from './names.ts'
import {listProjects} from './projects.ts'
import {findNearestDays} from './nearest-days.ts'
import {ProjectsPanel} from './projects-panel.tsx'
import {nameRange, toPrecedingSpan, toRecentStart} from './range.ts'
import {makeSeries, rankKeys} from './series.ts'
import {TopSessions} from './top-sessions.tsx'
import {UnpricedNotice} from './unpriced-notice.tsx'
import type {Controls} from './use-controls.ts'
import {useUsageKeys} from './use-usage-keys.ts'
import {NoUsage} from './usage-states.tsx'
import styles from './usage-content.module.css'

/** The figures and charts of a range. */
export function UsageContent({
  overview,
  wide = overview,
  controls,
  names,
  today,
  onCustom,
}: {
  overview: UsageOverview
  /** More days, without filters. */
  wide?: UsageOverview | undefined
  controls: Controls
  names: Names
  today: Day
  /** Shows the fields for a range. */
  onCustom: () => void
}) {
  const {cells, from, to, block, budget} = overview
  const {group, isTable, agent, project} = controls
  // Here and not in a parent, so that their hints come before those of the chart.
  useUsageKeys(controls, onCustom)
  const span = useMemo(() => ({from, to}), [from, to])
  const before = useMemo(
    () => filterCells(wide.cells, {...toPrecedingSpan(span), agent, project}),
    [wide, span, agent, project],
  )
  const series = useMemo(() => {
    const ranked = rankKeys(wide.cells, group, toRecentStart(today))
    return makeSeries({cells, group, ranked, nameOf: (key) => names.of(group, key)})
  }, [wide, cells, group, today, names])
  const rows = useMemo(
    () => listProjects(cells, span, overview.projects),
    [cells, span, overview.projects],
  )
  const isFiltered = agent !== '' || project !== ''
  if (cells.length === 0) {
    const others = filterCells(wide.cells, {...wide, agent, project})
    const nearest = findNearestDays(others, span)
    return <NoUsage span={span} nearest={nearest} isFiltered={isFiltered} today={today} />
  }
  return (
    <div className={styles.content}>
      <UnpricedNotice unpriced={overview.unpriced} />
      <KeyFigures overview={overview} before={before} isFiltered={isFiltered} today={today} />
      <div className={styles.grid}>
        <DailyPanel
          cells={cells}
          span={span}
          series={series}
          controls={controls}
          today={today}
          monthUsd={isFiltered ? undefined : budget?.monthUsd}
          isWide={block === null}
        />
        {block !== null && <BlockPanel block={block} />}
        <ProjectsPanel rows={rows} span={span} names={names} controls={controls} />
        <ActivityPanel
          hours={overview.hours}
          rangeName={nameRange(span, today)}
          isTable={isTable}
        />
        {overview.topSessions.length > 0 && (
          <TopSessions overview={overview} filters={controls} names={names} />
        )}
      </div>
      <p className={styles.note}>
        <b>≈ is an estimate:</b> tokens × the list price of {formatPriceDay(overview.pricesFrom)}.
        Without ≈ the agent reported the cost itself. On a subscription you do not pay per token:
        the numbers are the API value of the work, not your invoice. Every model request counts
        once, across resumed sessions, forks, sub-agents and runs.
      </p>
    </div>
  )
}

function formatPriceDay(day: Day): string {
  return `${formatDay(day)} ${day.slice(0, 4)}`
}
