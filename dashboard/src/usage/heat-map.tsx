import {memo, type KeyboardEvent, type MouseEvent} from 'react'
import {classNames} from '../ui/class-names.ts'
import {WEEKDAYS} from './days.ts'
import {
  describeHeat,
  findBusiest,
  moveHeat,
  nameHeat,
  readHeat,
  toHeatLevel,
  type HeatCell,
} from './heat.ts'
import styles from './heat-map.module.css'

/** An hour of the week per square. One of them can be chosen by pointer or key. */
export function HeatMap({
  hours,
  top,
  chosen,
  onChoose,
}: {
  hours: readonly (readonly number[])[]
  /** The cost from which squares have the strongest colour. */
  top: number
  chosen: HeatCell | undefined
  onChoose: (cell: HeatCell | undefined) => void
}) {
  const busiest = findBusiest(hours)
  const words = busiest === undefined ? 'No activity.' : `Busiest: ${describe(hours, busiest)}.`
  const press = (event: KeyboardEvent) => {
    const step = MOVES[event.key]
    if (event.key === 'Escape' && chosen !== undefined) onChoose(undefined)
    else if (step !== undefined) {
      onChoose(chosen === undefined ? (busiest ?? START) : moveHeat(chosen, ...step))
    } else return
    event.preventDefault()
  }
  const point = ({target}: MouseEvent) => {
    if (!(target instanceof HTMLElement)) return
    const {weekday, hour} = target.dataset
    if (weekday === undefined || hour === undefined) return
    onChoose({weekday: Number(weekday), hour: Number(hour)})
  }
  const naming = {
    'aria-label': `Average spend by weekday and hour. ${words}`,
    'aria-valuemin': 0,
    'aria-valuemax': 7 * 24 - 1,
    'aria-valuetext': chosen === undefined ? 'No hour chosen' : describe(hours, chosen),
  }
  return (
    <div
      className={styles.heatMap}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input would keep the keys of the page
      role="slider"
      tabIndex={0}
      aria-valuenow={chosen === undefined ? 0 : chosen.weekday * 24 + chosen.hour}
      {...naming}
      onKeyDown={press}
      onMouseMove={point}
      onMouseLeave={() => onChoose(undefined)}
    >
      <span />
      {Array.from({length: 24}, (_, hour) => (
        <span key={hour} className={styles.label}>
          {hour % 6 === 0 && `${hour} h`}
        </span>
      ))}
      {WEEKDAYS.map((name, weekday) => (
        <HeatRow
          key={name}
          name={name}
          weekday={weekday}
          values={hours[weekday] ?? []}
          top={top}
          chosenHour={chosen?.weekday === weekday ? chosen.hour : undefined}
        />
      ))}
    </div>
  )
}

const START: HeatCell = {weekday: 0, hour: 0}
const MOVES: Readonly<Record<string, [days: number, hours: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
}

const HeatRow = memo(function HeatRow({
  name,
  weekday,
  values,
  top,
  chosenHour,
}: {
  name: string
  weekday: number
  values: readonly number[]
  top: number
  chosenHour: number | undefined
}) {
  return (
    <>
      <span className={styles.label}>{name}</span>
      {Array.from({length: 24}, (_, hour) => (
        <i
          key={hour}
          className={classNames(styles.square, hour === chosenHour && styles.isChosen)}
          data-level={toHeatLevel(values[hour] ?? 0, top)}
          data-weekday={weekday}
          data-hour={hour}
        />
      ))}
    </>
  )
})

function describe(hours: readonly (readonly number[])[], cell: HeatCell): string {
  return `${nameHeat(cell)}, ${describeHeat(readHeat(hours, cell))}`
}
