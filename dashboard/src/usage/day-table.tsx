import common from '../ui/common.module.css'
import type {Unit} from './amounts.ts'
import {AmountText} from './cost.tsx'
import {formatWeekday, type Day} from './days.ts'
import {Scroll} from './panel.tsx'
import type {Series} from './series.ts'
import type {Column} from './stack.ts'
import styles from './table.module.css'

/** The values of the chart, the last day first. */
export function DayTable({
  columns,
  series,
  unit,
  today,
}: {
  columns: readonly Column[]
  series: readonly Series[]
  unit: Unit
  today: Day
}) {
  return (
    <Scroll label="Daily values">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({label, color}) => (
              <th key={color} scope="col" className={styles.isRight}>
                {label}
              </th>
            ))}
            <th scope="col" className={styles.isRight}>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {columns.toReversed().map(({from, total, parts}) => (
            <tr key={from}>
              <th scope="row">
                {formatWeekday(from)}
                {from === today && <span className={common.muted}> so far</span>}
              </th>
              {series.map(({color}, index) => (
                <td key={color} className={styles.isRight}>
                  <AmountText amount={parts[index]} unit={unit} />
                </td>
              ))}
              <td className={styles.isRight}>
                <b>
                  <AmountText amount={total} unit={unit} />
                </b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
