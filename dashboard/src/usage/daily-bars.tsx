import {memo, useId} from 'react'
import {formatTick} from './axis.ts'
import styles from './daily-chart.module.css'
import {toBars, yOf, type ChartFrame} from './daily-layout.ts'
import type {Series} from './series.ts'
import type {Column} from './stack.ts'

/** The columns, which stay the same while one is chosen. */
export const Bars = memo(
  function Bars({
    columns,
    series,
    frame,
  }: {
    columns: readonly Column[]
    series: readonly Series[]
    frame: ChartFrame
  }) {
    const hatch = useId()
    return (
      <>
        <defs>
          <pattern
            id={hatch}
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="4" height="4" fill="var(--surface)" />
            <line x1="0" y1="0" x2="0" y2="4" stroke="var(--t3)" strokeWidth="2" />
          </pattern>
        </defs>
        {toBars(columns, frame).map(({column, part, ...place}) => {
          const color = series[part]?.color
          return color === 'rest' ? (
            <rect
              key={`${column} ${part}`}
              className={styles.rest}
              fill={`url(#${hatch})`}
              {...place}
            />
          ) : (
            <rect key={`${column} ${part}`} className={styles.bar} data-series={color} {...place} />
          )
        })}
      </>
    )
  },
  (before, after) =>
    before.columns === after.columns &&
    before.series === after.series &&
    before.frame.width === after.frame.width,
)

/** The budget of a day across the chart. */
export function BudgetLine({frame, dayUsd}: {frame: ChartFrame; dayUsd: number}) {
  const {left, width, upper} = frame
  const y = yOf(frame, dayUsd)
  const words = `Budget ${formatTick(dayUsd, 'spend')} a day`
  const sample = width - words.length * LETTER_WIDTH
  return (
    <g>
      <line className={styles.budget} x1={left} x2={width} y1={y} y2={y} />
      <line
        className={styles.budget}
        x1={sample - 22}
        x2={sample - 4}
        y1={upper + 4}
        y2={upper + 4}
      />
      <text x={width} y={upper + 8} textAnchor="end">
        {words}
      </text>
    </g>
  )
}

const LETTER_WIDTH = 6
