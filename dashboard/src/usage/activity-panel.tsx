import {useState} from 'react'
import {formatMoney} from '../../../src/core/text/figures.ts'
import styles from './activity-panel.module.css'
import {WEEKDAYS} from './days.ts'
import {HeatMap} from './heat-map.tsx'
import {describeHeat, nameHeat, pickHeatTop, readHeat, sumBands, type HeatCell} from './heat.ts'
import {Panel, Scroll, TableToggle} from './panel.tsx'
import table from './table.module.css'

/** The average cost by weekday and hour, as a heat map or a table. */
export function ActivityPanel({
  hours,
  rangeName,
  isTable,
}: {
  hours: readonly (readonly number[])[]
  /** Such as `30 days`. */
  rangeName: string
  isTable: boolean
}) {
  const [chosen, setChosen] = useState<HeatCell | undefined>(undefined)
  const top = pickHeatTop(hours)
  return (
    <Panel title="Activity" fact="by hour and weekday" side={<TableToggle isTable={isTable} />}>
      {isTable ? (
        <HeatTable hours={hours} />
      ) : (
        <div className={styles.body}>
          <HeatMap hours={hours} top={top} chosen={chosen} onChoose={setChosen} />
          <div className={styles.scale}>
            <span className={styles.readout}>
              {chosen === undefined
                ? `Average per hour, ${rangeName}`
                : `${nameHeat(chosen)}: ${describeHeat(readHeat(hours, chosen))}`}
            </span>
            {top > 0 && (
              <>
                <span>$0</span>
                {[0, 1, 2, 3, 4].map((level) => (
                  <i key={level} className={styles.sample} data-level={level} />
                ))}
                <span>{formatMoney(top)}+</span>
              </>
            )}
          </div>
        </div>
      )}
    </Panel>
  )
}

const BANDS: readonly [number, number][] = [
  [0, 4],
  [4, 8],
  [8, 12],
  [12, 16],
  [16, 20],
  [20, 24],
]

function HeatTable({hours}: {hours: readonly (readonly number[])[]}) {
  return (
    <Scroll label="Average spend by weekday and hour">
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {BANDS.map(([from, to]) => (
              <th key={from} scope="col" className={table.isRight}>
                {from}–{to} h
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((name, weekday) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {sumBands(hours[weekday] ?? [], BANDS).map((value, band) => (
                <td key={BANDS[band]?.[0]} className={table.isRight}>
                  {value > 0 ? formatMoney(value) : '—'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
