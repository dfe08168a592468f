import type {KeyboardEvent, MouseEvent} from 'react'
import type {Unit} from './amounts.ts'
import {formatTick, makeAxis, pickLabels} from './axis.ts'
import {formatAmount} from './cost.tsx'
import {Bars, BudgetLine} from './daily-bars.tsx'
import styles from './daily-chart.module.css'
import {formatDay, type Day} from './days.ts'
import {describeColumns, toFrame, yOf} from './daily-layout.ts'
import type {Series} from './series.ts'
import {nameColumn, type Column} from './stack.ts'

/** The stacked columns of a range. One of them can be chosen by pointer or key; the legend shows its values. */
export function DailyChart({
  label,
  columns,
  series,
  unit,
  step,
  width,
  today,
  dayUsd,
  chosen,
  onChoose,
}: {
  label: string
  columns: readonly Column[]
  series: readonly Series[]
  unit: Unit
  /** The number of days in a column. */
  step: number
  width: number
  today: Day
  /** The budget of a day. */
  dayUsd: number | undefined
  chosen: number | undefined
  onChoose: (index: number | undefined) => void
}) {
  const axis = makeAxis(Math.max(...columns.map(({total}) => total.value ?? 0)))
  const ticks = axis.ticks.map((tick) => formatTick(tick, unit))
  const frame = toFrame({width, count: columns.length, top: axis.top, ticks})
  const last = columns.length - 1
  const column = chosen === undefined ? undefined : columns[chosen]
  const point = ({clientX, currentTarget}: MouseEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - frame.left
    const index = Math.floor(x / frame.unit)
    onChoose(index >= 0 && index <= last ? index : undefined)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    onChoose(event.key === 'Home' ? 0 : last)
  }
  const naming = {
    'aria-label': `${label}. ${describeColumns(columns, unit, step)}`,
    'aria-valuemin': 0,
    'aria-valuemax': last,
    'aria-valuetext':
      column === undefined ? 'All days' : describeColumn(column, series, unit, step),
  }
  return (
    <div
      className={styles.chart}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input would keep the keys of the page
      role="slider"
      tabIndex={0}
      aria-valuenow={chosen ?? last}
      {...naming}
      onKeyDown={press}
      onMouseMove={point}
      onMouseLeave={() => onChoose(undefined)}
    >
      <svg width={width} height={frame.height} aria-hidden="true">
        {axis.ticks.map((tick, index) => (
          <g key={tick}>
            <line
              className={tick === 0 ? styles.baseline : styles.grid}
              x1={frame.left}
              x2={width}
              y1={yOf(frame, tick)}
              y2={yOf(frame, tick)}
            />
            <text x={frame.left - 8} y={yOf(frame, tick) + 4} textAnchor="end">
              {ticks[index]}
            </text>
          </g>
        ))}
        {chosen !== undefined && (
          <rect
            className={styles.chosen}
            x={frame.left + chosen * frame.unit}
            y={frame.upper}
            width={frame.unit}
            height={frame.lower - frame.upper}
          />
        )}
        <Bars columns={columns} series={series} frame={frame} />
        {unit === 'spend' && step === 1 && dayUsd !== undefined && dayUsd <= axis.top && (
          <BudgetLine frame={frame} dayUsd={dayUsd} />
        )}
        {pickLabels(columns.length, width - frame.left, LABEL_WIDTH).map((index) => (
          <text
            key={index}
            x={Math.min(frame.left + (index + 0.5) * frame.unit, width - 16)}
            y={frame.height - 5}
            textAnchor="middle"
          >
            {nameLabel(columns[index], today)}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** The width of a label with the space around it. */
const LABEL_WIDTH = 72

function nameLabel(column: Column | undefined, today: Day): string {
  if (column === undefined) return ''
  return column.to === today ? 'today' : formatDay(column.from)
}

function describeColumn(
  column: Column,
  series: readonly Series[],
  unit: Unit,
  step: number,
): string {
  const parts = series.flatMap(({label}, index) => {
    const part = column.parts[index]
    return part === undefined ? [] : [`${label} ${formatAmount(part, unit)}`]
  })
  return [`${nameColumn(column, step)}: ${formatAmount(column.total, unit)}`, ...parts].join(', ')
}
