import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import type {Amount, Unit} from './amounts.ts'
import {AmountText} from './cost.tsx'
import styles from './legend.module.css'
import type {Series} from './series.ts'

/** Few entries stay close together. */
const MAX_ENTRY_WIDTH = 176

/** The names of the series, with their values in the range or in the chosen column. */
export function Legend({
  title,
  total,
  parts,
  series,
  unit,
}: {
  /** The days of the values. */
  title: string
  total: Amount
  /** One per series. */
  parts: readonly (Amount | undefined)[]
  series: readonly Series[]
  unit: Unit
}) {
  return (
    <ul className={styles.legend} style={{maxWidth: (series.length + 1) * MAX_ENTRY_WIDTH}}>
      <li className={styles.entry}>
        <span className={styles.title}>{title}</span>
        <b className={styles.value}>
          <AmountText amount={total} unit={unit} />
        </b>
      </li>
      {series.map(({label, color}, index) => (
        <li key={color} className={classNames(styles.entry, styles.hasKey)}>
          <ColorKey color={color} />
          <span className={classNames(common.ellipsis, styles.title)} title={label}>
            {label}
          </span>
          <b className={styles.value}>
            <AmountText amount={parts[index]} unit={unit} />
          </b>
        </li>
      ))}
    </ul>
  )
}

function ColorKey({color}: {color: Series['color']}) {
  return (
    <i
      className={classNames(styles.key, color === 'rest' && styles.isHatched)}
      data-series={color}
    />
  )
}
