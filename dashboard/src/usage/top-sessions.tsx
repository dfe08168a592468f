import {escapeControls} from '../../../src/core/text/text.ts'
import type {UsageOverview} from '../hub/usage-api.ts'
import {Link} from '../shell/link.tsx'
import {pathOfRun} from '../shell/router.ts'
import {toButtonClass} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatNumber, formatWhen} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {Kind} from '../ui/kind.tsx'
import {useMore} from '../ui/more.tsx'
import {AgentMark} from './agent-mark.tsx'
import {Cost} from './cost.tsx'
import {formatTokenTotal} from './figures.ts'
import type {Names} from './names.ts'
import {Panel} from './panel.tsx'
import {pathOfRuns} from './paths.ts'
import type {Controls} from './use-controls.ts'
import table from './table.module.css'
import styles from './top-sessions.module.css'

const FIRST_COUNT = 5

/** The most expensive sessions and runs of the range, with links. */
export function TopSessions({
  overview,
  filters,
  names,
}: {
  overview: UsageOverview
  filters: Pick<Controls, 'agent' | 'project'>
  names: Names
}) {
  const {topSessions} = overview
  const {agent, project} = filters
  const {shown, button} = useMore(topSessions.length, FIRST_COUNT, 'sessions')
  return (
    <Panel
      title="Most expensive sessions"
      isWide
      side={
        <Link
          className={toButtonClass({kind: 'quiet', size: 'small'})}
          href={pathOfRuns(overview, {agent, project})}
        >
          All in this range <Icon name="chev" size={14} />
        </Link>
      }
    >
      <table className={table.table}>
        <caption className={common.visuallyHidden}>Most expensive sessions</caption>
        <thead>
          <tr>
            <th scope="col" className={TITLE}>
              Session
            </th>
            <th scope="col" className={table.isSecondary}>
              Project
            </th>
            <th scope="col" className={table.isSecondary}>
              Kind
            </th>
            <th scope="col" className={table.isSecondary}>
              Started
            </th>
            <th scope="col" className={SECONDARY}>
              Turns
            </th>
            <th scope="col" className={SECONDARY}>
              Tokens
            </th>
            <th scope="col" className={table.isRight}>
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {topSessions.slice(0, shown).map((session) => (
            <Row key={session.runId} session={session} names={names} />
          ))}
        </tbody>
      </table>
      <div className={table.more}>{button}</div>
    </Panel>
  )
}

const TITLE = classNames(table.isElastic, table.isLong)
const SECONDARY = classNames(table.isRight, table.isSecondary)

function Row({session, names}: {session: UsageOverview['topSessions'][number]; names: Names}) {
  const {runId, agent, title, project, kind, startedAt, turns, tokens, costUsd, isEstimate} =
    session
  return (
    <tr>
      <td className={TITLE}>
        <div className={styles.session}>
          <AgentMark agent={agent} names={names} />
          <Link className={classNames(common.ellipsis, styles.title)} href={pathOfRun(runId)}>
            {escapeControls(title) || 'Untitled'}
          </Link>
        </div>
      </td>
      <td className={classNames(styles.project, table.isSecondary)} title={project}>
        {names.project(project)}
      </td>
      <td className={table.isSecondary}>
        <Kind kind={kind} />
      </td>
      <td className={classNames(styles.started, table.isSecondary)}>{formatWhen(startedAt)}</td>
      <td className={SECONDARY}>{formatNumber(turns)}</td>
      <td className={SECONDARY}>{formatTokenTotal(tokens)}</td>
      <td className={table.isRight}>
        <b>
          <Cost usd={costUsd} isEstimate={isEstimate} />
        </b>
      </td>
    </tr>
  )
}
