import {useMemo, type ReactNode} from 'react'
import {Link} from '../shell/link.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCount, formatNumber, formatShare} from '../ui/figures.ts'
import {useMore} from '../ui/more.tsx'
import {AgentMark} from './agent-mark.tsx'
import {Cost} from './cost.tsx'
import type {DaySpan} from './days.ts'
import {formatTokenTotal} from './figures.ts'
import type {Names} from './names.ts'
import {Panel} from './panel.tsx'
import {sortProjects, type ProjectRow, type ProjectSort} from './projects.ts'
import styles from './projects-panel.module.css'
import {pathOfRuns} from './paths.ts'
import {Sparkline} from './sparkline.tsx'
import table from './table.module.css'
import {chooseSort, type Controls} from './use-controls.ts'

const FIRST_COUNT = 10

/** The projects of the range. */
export function ProjectsPanel({
  rows,
  span,
  names,
  controls,
}: {
  rows: readonly ProjectRow[]
  span: DaySpan
  names: Names
  controls: Controls
}) {
  const {sort, isAscending, agent} = controls
  const sorted = useMemo(() => sortProjects(rows, sort, isAscending), [rows, sort, isAscending])
  const {shown, button} = useMore(sorted.length, FIRST_COUNT, 'projects')
  const head = (column: ProjectSort, words: string, className?: string) => (
    <SortHead
      isSorted={column === sort}
      isAscending={isAscending}
      className={className}
      onSort={() => chooseSort(column, controls)}
    >
      {words}
    </SortHead>
  )
  return (
    <Panel title="Projects" side={<Count>{formatCount(rows.length, 'project')}</Count>}>
      <table className={table.table}>
        <caption className={common.visuallyHidden}>Projects</caption>
        <thead>
          <tr>
            {head('name', 'Project', table.isElastic)}
            <th scope="col" className={table.isSecondary}>
              Agents
            </th>
            <th scope="col">Trend</th>
            {head('sessions', 'Sessions', SECONDARY)}
            {head('tokens', 'Tokens', SECONDARY)}
            {head('cache', 'Cache', SECONDARY)}
            <th scope="col" className={table.isSecondary}>
              Share
            </th>
            {head('spend', 'Spend', table.isRight)}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <Row key={row.project} row={row} span={span} agent={agent} names={names} />
          ))}
        </tbody>
      </table>
      <div className={table.more}>{button}</div>
    </Panel>
  )
}

const SECONDARY = classNames(table.isRight, table.isSecondary)

function Row({
  row,
  span,
  agent,
  names,
}: {
  row: ProjectRow
  span: DaySpan
  /** The agent that is shown; empty for all. */
  agent: string
  names: Names
}) {
  const {project, agents, trend, sessions, tokens, cacheShare, share, cost} = row
  const name = names.project(project)
  return (
    <tr>
      <th scope="row" className={table.isElastic}>
        <div className={common.ellipsis} title={project}>
          {project === '' ? (
            name
          ) : (
            <Link className={table.link} href={pathOfRuns(span, {agent, project})}>
              {name}
            </Link>
          )}
        </div>
      </th>
      <td className={table.isSecondary}>
        <span className={styles.agents}>
          {agents.map((id) => (
            <AgentMark key={id} agent={id} names={names} />
          ))}
        </span>
      </td>
      <td>
        <Sparkline values={trend} />
      </td>
      <td className={SECONDARY}>{formatNumber(sessions)}</td>
      <td className={SECONDARY}>{formatTokenTotal(tokens)}</td>
      <td className={SECONDARY}>{cacheShare === undefined ? '—' : formatShare(cacheShare)}</td>
      <td className={table.isSecondary}>
        <span className={styles.share}>
          <i style={{width: `${share * 100}%`}} />
        </span>
        <span className={common.muted}>{formatShare(share)}</span>
      </td>
      <td className={table.isRight}>
        <b>
          <Cost usd={cost.value} isEstimate={cost.isEstimate} />
        </b>
      </td>
    </tr>
  )
}

function SortHead({
  isSorted,
  isAscending,
  className,
  onSort,
  children,
}: {
  isSorted: boolean
  isAscending: boolean
  className: string | undefined
  onSort: () => void
  children: string
}) {
  const direction = isAscending ? 'ascending' : 'descending'
  return (
    <th scope="col" className={className} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className={table.sort} onClick={onSort}>
        {children}
        {isSorted && <span aria-hidden="true">{isAscending ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  )
}

function Count({children}: {children: ReactNode}) {
  return <span className={styles.count}>{children}</span>
}
