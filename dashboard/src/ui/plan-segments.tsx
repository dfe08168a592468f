import type {PlanItem} from '../../../src/core/events/events.ts'
import {Meter} from './meter.tsx'

/** More segments cannot be counted by eye. */
const MOST_SEGMENTS = 12

/** A plan as a row of segments, or as a bar when it is long. */
export function PlanSegments({plan}: {plan: readonly PlanItem[]}) {
  const done = countDone(plan)
  if (plan.length > MOST_SEGMENTS) {
    return <Meter share={done / plan.length} label={`Plan: ${done} of ${plan.length}`} tone="ok" />
  }
  return (
    <span className="segs" aria-hidden="true">
      {plan.map(({status}, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the items have no names, and stay in their order
        <i key={index} className={SEGMENTS[status]} />
      ))}
    </span>
  )
}

/** How many items of a plan are completed or cancelled. */
export function countDone(plan: readonly PlanItem[]): number {
  return plan.filter(({status}) => status === 'completed' || status === 'cancelled').length
}

const SEGMENTS: Readonly<Record<PlanItem['status'], string>> = {
  completed: 'd',
  cancelled: 'c',
  'in-progress': 'n',
  pending: '',
}
