import {formatMoney} from '../../../src/core/text/figures.ts'
import common from '../ui/common.module.css'
import styles from './sparkline.module.css'

const WIDTH = 112
const HEIGHT = 22

/** A small line of costs over time, with the main values for screen readers. */
export function Sparkline({values}: {values: readonly number[]}) {
  const max = Math.max(...values, 0)
  const places = values.map((value, index) => ({
    x: values.length > 1 ? 2 + (index / (values.length - 1)) * (WIDTH - 4) : WIDTH - 2,
    y: HEIGHT - 2 - (max > 0 ? (value / max) * 17 : 0),
  }))
  const line = places.map(({x, y}, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
  const end = places.at(-1)
  if (end === undefined) return null
  return (
    <>
      <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path className={styles.area} d={`${line.join('')}L${WIDTH - 2} 21L2 21z`} />
        <path className={styles.line} d={line.join('')} />
        <circle className={styles.end} cx={end.x} cy={end.y} r="2" />
      </svg>
      <span className={common.visuallyHidden}>
        First {formatMoney(values[0] ?? 0)}, highest {formatMoney(max)}, last{' '}
        {formatMoney(values.at(-1) ?? 0)}
      </span>
    </>
  )
}
