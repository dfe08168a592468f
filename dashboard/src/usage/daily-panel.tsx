import {useMemo, useState} from 'react'
import {useKeys} from '../shell/keys.ts'
import {sumCells, type UsageCell} from './amounts.ts'
import styles from './daily-panel.module.css'
import {DailyChart} from './daily-chart.tsx'
import {DayTable} from './day-table.tsx'
import {countDaysOfMonth, formatSpan, type Day, type DaySpan} from './days.ts'
import {Legend} from './legend.tsx'
import {Panel, TableToggle} from './panel.tsx'
import type {Series} from './series.ts'
import {nameColumn, pickStep, stackDays} from './stack.ts'
import type {Controls} from './use-controls.ts'
import {useWidth} from './use-width.ts'

/** The spend or tokens of each day, as a chart or a table. */
export function DailyPanel({
  cells,
  span,
  series,
  controls: {group, unit, isTable},
  today,
  monthUsd,
  isWide,
}: {
  cells: readonly UsageCell[]
  span: DaySpan
  series: readonly Series[]
  controls: Controls
  today: Day
  /** The budget of a month; undefined without one for these cells. */
  monthUsd: number | undefined
  isWide: boolean
}) {
  const {ref, width} = useWidth()
  const step = isTable || width === 0 ? 1 : pickStep(span, width)
  const columns = useMemo(
    () => stackDays(cells, {span, series, group, unit, step}),
    [cells, span, series, group, unit, step],
  )
  const parts = useMemo(() => {
    return series.map(({keys}) =>
      sumCells(
        cells.filter((cell) => keys.has(cell[group])),
        unit,
      ),
    )
  }, [cells, series, group, unit])
  const total = useMemo(() => sumCells(cells, unit), [cells, unit])
  const [chosenDay, setChosenDay] = useState<Day | undefined>(undefined)
  const chosen = columns.findIndex(({from}) => from === chosenDay)
  const choose = (index: number | undefined) => {
    setChosenDay(index === undefined ? undefined : columns[index]?.from)
  }
  const move = (by: 1 | -1): boolean => {
    if (isTable) return false
    const last = columns.length - 1
    choose(chosen === -1 ? last : Math.min(last, Math.max(0, chosen + by)))
    return true
  }
  useKeys('Usage', {
    ArrowLeft: {words: 'earlier day', hint: 'day in chart', canRepeat: true, act: () => move(-1)},
    ArrowRight: {words: 'later day', hint: 'day in chart', canRepeat: true, act: () => move(1)},
    Escape: {
      words: 'all days',
      act: () => {
        if (chosen === -1) return false
        choose(undefined)
        return true
      },
    },
  })
  const noun = unit === 'spend' ? 'Spend' : 'Tokens'
  const column = columns[chosen]
  return (
    <Panel
      title={`${noun} per ${nameStep(step)}`}
      fact={`by ${group}`}
      side={<TableToggle isTable={isTable} />}
      isWide={isWide}
    >
      {isTable ? (
        <DayTable columns={columns} series={series} unit={unit} today={today} />
      ) : (
        <div className={styles.body}>
          <Legend
            title={column === undefined ? formatSpan(span, today) : nameColumn(column, step)}
            total={column?.total ?? total}
            parts={column?.parts ?? parts}
            series={series}
            unit={unit}
          />
          <div className={styles.plot} ref={ref}>
            {width > 0 && (
              <DailyChart
                label={`${noun} per ${nameStep(step)} by ${group}, ${formatSpan(span, today)}`}
                columns={columns}
                series={series}
                unit={unit}
                step={step}
                width={width}
                today={today}
                dayUsd={monthUsd === undefined ? undefined : monthUsd / countDaysOfMonth(today)}
                chosen={chosen === -1 ? undefined : chosen}
                onChoose={choose}
              />
            )}
          </div>
        </div>
      )}
    </Panel>
  )
}

function nameStep(step: number): string {
  return step === 1 ? 'day' : step === 7 ? 'week' : `${step} days`
}
