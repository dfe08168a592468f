import {useMore} from '../ui/more.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatNumber, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {WORK} from '../ui/work.ts'
import styles from './table.module.css'
import type {ToolStat} from './tool-stats.ts'

/** How often each tool was called, how long it took, and how often it failed. */
export function ToolTable({stats}: {stats: readonly ToolStat[]}) {
  const {shown, button} = useMore(stats.length, 16, 'tools')
  const longest = Math.max(1, stats[0]?.totalMs ?? 0)
  return (
    <>
      <table className={classNames(styles.table, styles.hasUnderlines)}>
        <caption className={common.visuallyHidden}>Tools by time</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Failed</th>
            <th scope="col">Calls</th>
            <th scope="col" title="Median duration">
              p50
            </th>
            <th scope="col" title="95th percentile of the duration">
              p95
            </th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {stats.slice(0, shown).map((stat) => (
            <Row key={`${stat.tool} ${stat.name}`} stat={stat} longest={longest} />
          ))}
        </tbody>
      </table>
      {button}
    </>
  )
}

function Row({stat, longest}: {stat: ToolStat; longest: number}) {
  const {name, tool, count, failed, running, totalMs, p50Ms, p95Ms} = stat
  const {kind, icon} = WORK[tool]
  return (
    <tr data-kind={kind}>
      <th scope="row">
        <span className={styles.name}>
          <Icon name={icon} size={14} />
          <span className={common.ellipsis} title={name}>
            {name}
          </span>
          {running > 0 && <span className={common.muted}>{formatNumber(running)} running</span>}
        </span>
        <i
          className={styles.underline}
          style={{width: totalMs > 0 ? `max(2px, ${(totalMs / longest) * 100}%)` : 0}}
        />
      </th>
      <td>{failed > 0 && <span className={common.failed}>{formatNumber(failed)}</span>}</td>
      <td>{formatNumber(count)}×</td>
      <td>{p50Ms === undefined ? '—' : formatTime(p50Ms)}</td>
      <td>{p95Ms === undefined ? '—' : formatTime(p95Ms)}</td>
      <td>{formatTime(totalMs)}</td>
    </tr>
  )
}
