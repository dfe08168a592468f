import {escapeControls} from '../../../src/core/text/text.ts'
import {useMore} from '../ui/more.tsx'
import common from '../ui/common.module.css'
import {formatCost, formatTokens} from '../ui/figures.ts'
import type {ModelCost} from './model-costs.ts'
import styles from './table.module.css'

/** The cost and tokens of each model. */
export function ModelTable({costs}: {costs: readonly ModelCost[]}) {
  const {shown, button} = useMore(costs.length, 8, 'models')
  const sizeOf = ({costUsd, tokens}: ModelCost) => (isByCost ? (costUsd ?? 0) : (tokens ?? 0))
  const isByCost = costs.some(({costUsd}) => costUsd !== undefined)
  const largest = Math.max(...costs.map(sizeOf))
  return (
    <>
      <table className={styles.table}>
        <caption className={common.visuallyHidden}>Cost by model</caption>
        <tbody>
          {costs.slice(0, shown).map((cost) => {
            const share = largest > 0 ? sizeOf(cost) / largest : 0
            return (
              <tr key={cost.model ?? ''} data-kind="run">
                <th scope="row">
                  {cost.model === undefined ? 'Unknown model' : escapeControls(cost.model)}
                </th>
                <td className={styles.bar} aria-hidden="true">
                  {share > 0 && <i style={{width: `max(2px, ${share * 100}%)`}} />}
                </td>
                <td>{cost.tokens === undefined ? '—' : formatTokens(cost.tokens)}</td>
                <td>{formatCost(cost.costUsd, cost.isEstimate)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {button}
    </>
  )
}
