import {useEffect, useRef, type RefObject} from 'react'
import type {Day, DaySpan} from './days.ts'
import styles from './controls-bar.module.css'
import {FIRST_DAY, isChoosable} from './range.ts'
import {chooseSpan} from './use-controls.ts'

/** Fields for the first and the last day. */
export function DateRange({
  span: {from, to},
  today,
  ref,
}: {
  span: DaySpan
  today: Day
  /** The first field. */
  ref: RefObject<HTMLInputElement | null>
}) {
  const last = useRef<HTMLInputElement>(null)
  return (
    <span className={styles.dates}>
      <DateField
        label="From"
        value={from}
        today={today}
        ref={ref}
        onChoose={(day) => chooseSpan(day, day > to ? day : to)}
      />
      <span className={styles.between}>to</span>
      <DateField
        label="To"
        value={to}
        today={today}
        ref={last}
        onChoose={(day) => chooseSpan(day < from ? day : from, day)}
      />
    </span>
  )
}

/** A field for a day. A day that cannot be chosen stays until the field is left, because it may be half typed. */
function DateField({
  label,
  value,
  today,
  onChoose,
  ref,
}: {
  label: string
  value: Day
  today: Day
  onChoose: (day: Day) => void
  ref: RefObject<HTMLInputElement | null>
}) {
  useEffect(() => {
    const field = ref.current
    if (field !== null && field !== document.activeElement) field.value = value
  }, [ref, value])
  return (
    <input
      ref={ref}
      type="date"
      className={styles.date}
      aria-label={label}
      defaultValue={value}
      min={FIRST_DAY}
      max={today}
      onChange={({target}) => {
        if (isChoosable(target.value, today)) onChoose(target.value)
      }}
      onBlur={({target}) => {
        target.value = value
      }}
    />
  )
}
