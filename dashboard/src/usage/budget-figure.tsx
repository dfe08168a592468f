import type {UsageOverview} from '../hub/usage-api.ts'
import {formatShare} from '../ui/figures.ts'
import {formatMoney} from '../../../src/core/text/figures.ts'
import {Cost} from './cost.tsx'
import {formatDay, shareOfMonth, type Day} from './days.ts'
import styles from './budget-figure.module.css'
import {Figure} from './figure.tsx'

/** The budget of the month: how much is used, how much will be, and how much of the month has passed. */
export function BudgetFigure({
  title,
  budget,
  today,
}: {
  title: string
  budget: UsageOverview['budget']
  today: Day
}) {
  if (budget === null) {
    return (
      <Figure title={title} value="No budget">
        Add <code>budget.monthUsd</code> to <code>config.json</code> in the data folder
      </Figure>
    )
  }
  const {monthUsd, spentUsd, forecastUsd, reachedOn} = budget
  const used = monthUsd > 0 ? spentUsd / monthUsd : 1
  const expected = monthUsd > 0 ? forecastUsd / monthUsd : 1
  const passed = shareOfMonth(today)
  const words = `${formatShare(used)} used, ${formatShare(passed)} of the month passed`
  return (
    <Figure
      title={title}
      value={
        <>
          <Cost usd={spentUsd} isEstimate />
          <small> of {formatMoney(monthUsd)}</small>
        </>
      }
    >
      <div className={styles.bar} {...{role: 'img', 'aria-label': words}}>
        <i className={styles.forecast} style={{width: toWidth(expected)}} />
        <i className={styles.used} style={{width: toWidth(used)}} />
        <i className={styles.today} style={{left: toWidth(passed)}} />
      </div>
      {used >= 1 ? (
        <span className={styles.warning}>Over the budget</span>
      ) : reachedOn === null ? (
        words
      ) : (
        <span className={styles.warning}>Reaches the budget about {formatDay(reachedOn)}</span>
      )}
    </Figure>
  )
}

function toWidth(share: number): string {
  return `${Math.min(100, Math.max(0, share * 100))}%`
}
