import type {PlanItem} from '../../../src/core/events/events.ts'
import {classNames} from './class-names.ts'
import {Meter} from './meter.tsx'
import styles from './plan-segments.module.css'

/** More segments cannot be counted by eye. */
const MOST_SEGMENTS = 12

/** A plan as a row of segments, or as a bar when it is long. */
export function PlanSegments({
  plan,
  className,
}: {
  plan: readonly PlanItem[]
  className?: string | undefined
}) {
  const done = countDone(plan)
  if (plan.length > MOST_SEGMENTS) {
    const label = `Plan: ${done} of ${plan.length}`
    return <Meter share={done / plan.length} label={label} tone="ok" className={className} />
  }
  return (
    <span className={classNames(styles.segments, className)} aria-hidden="true">
      {plan.map(({status}, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the items have no names, and stay in their order
        <i key={index} className={styles.segment} data-status={status} />
      ))}
    </span>
  )
}

/** How many items of a plan are completed or cancelled. */
export function countDone(plan: readonly PlanItem[]): number {
  return plan.filter(({status}) => status === 'completed' || status === 'cancelled').length
}
