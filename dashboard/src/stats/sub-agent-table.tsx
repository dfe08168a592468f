import type {SubAgent} from '../../../src/core/run/sub-agents.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useMore} from '../ui/more.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import type {SubAgentSpent} from '../../../src/replay/run-item.ts'
import {formatCost, formatElapsed, formatNumber, formatTime, formatTokens} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import styles from './table.module.css'

/** The sub-agents, their durations and estimated costs: no agent reports them. */
export function SubAgentTable({
  subAgents,
  costs,
  at,
}: {
  subAgents: readonly SubAgent[]
  /** By their calls. */
  costs: ReadonlyMap<string, SubAgentSpent>
  /** The end of the shown time. */
  at: number
}) {
  const rows = subAgents
    .map((agent) => ({
      agent,
      ms: agent.durationMs ?? Math.max(0, at - agent.startedAt),
      cost: costs.get(agent.toolId),
    }))
    .toSorted((one, other) => other.ms - one.ms)
  const {shown, button} = useMore(rows.length, 8, 'sub-agents')
  const longest = Math.max(1, rows[0]?.ms ?? 1)
  return (
    <>
      <table className={classNames(styles.table, styles.hasUnderlines)}>
        <caption className={common.visuallyHidden}>Sub-agents by time</caption>
        <thead>
          <tr>
            <th scope="col">Sub-agent</th>
            <th scope="col">Tools</th>
            {costs.size > 0 && <th scope="col">Tokens</th>}
            {costs.size > 0 && <th scope="col">Cost</th>}
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map(({agent, ms, cost}) => (
            <tr key={agent.toolId} data-kind="agent">
              <th scope="row">
                <span className={styles.name}>
                  <Icon name="task" size={14} />
                  <span className={common.ellipsis}>
                    {escapeControls(agent.summary) || 'Sub-agent'}
                  </span>
                  {agent.ok === false && <span className={common.failed}>failed</span>}
                  {agent.ok === undefined && <span className={common.muted}>running</span>}
                </span>
                <i
                  className={styles.underline}
                  style={{width: `max(2px, ${(ms / longest) * 100}%)`}}
                />
              </th>
              <td>{formatNumber(agent.toolCount)}</td>
              {costs.size > 0 && <td>{cost === undefined ? '—' : formatTokens(cost.tokens)}</td>}
              {costs.size > 0 && <td>{formatCost(cost?.costUsd ?? undefined, true)}</td>}
              <td>{agent.ok === undefined ? formatElapsed(ms) : formatTime(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {button}
    </>
  )
}
