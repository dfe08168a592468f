import {makeHarmless, type SubAgent} from '../../../src/core/index.ts'
import {useMore} from '../cards/more.tsx'
import {formatElapsed, formatNumber, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'

/** What sub-agents did and for how long: what each of them cost is not told. */
export function SubAgentTable({
  subAgents,
  at,
}: {
  subAgents: readonly SubAgent[]
  /** The moment up to which they are shown. */
  at: number
}) {
  const rows = subAgents
    .map((agent) => ({agent, ms: agent.durationMs ?? Math.max(0, at - agent.startedAt)}))
    .toSorted((one, other) => other.ms - one.ms)
  const {shown, button} = useMore(rows.length, 8, 'sub-agents')
  const longest = Math.max(1, rows[0]?.ms ?? 1)
  return (
    <>
      <table className="kv tools num">
        <caption className="sr">Sub-agents by time</caption>
        <thead>
          <tr>
            <th scope="col">Sub-agent</th>
            <th scope="col">Tools</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map(({agent, ms}) => (
            <tr key={agent.toolId} className="k-hand">
              <th scope="row">
                <span className="name">
                  <Icon name="task" size={14} />
                  <span className="cut">{makeHarmless(agent.summary) || 'Sub-agent'}</span>
                  {agent.ok === false && <span className="x">failed</span>}
                  {agent.ok === undefined && <span className="t3">running</span>}
                </span>
                <i className="under" style={{width: `max(2px, ${(ms / longest) * 100}%)`}} />
              </th>
              <td>{formatNumber(agent.toolCount)}</td>
              <td>{agent.ok === undefined ? formatElapsed(ms) : formatTime(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {button}
    </>
  )
}
