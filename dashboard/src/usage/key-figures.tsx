import type {UsageOverview} from '../hub/usage-api.ts'
import {formatCount, formatNumber, formatShare} from '../ui/figures.ts'
import {formatMoney} from '../../../src/core/text/figures.ts'
import {
  compareCosts,
  countTokens,
  shareOfCache,
  sumCells,
  sumTokens,
  type UsageCell,
} from './amounts.ts'
import {BudgetFigure} from './budget-figure.tsx'
import {Cost} from './cost.tsx'
import {countDays, nameMonth, type Day} from './days.ts'
import {Figure} from './figure.tsx'
import {formatTokenTotal} from './figures.ts'
import styles from './key-figures.module.css'
import {nameRange} from './range.ts'

/** The totals of the range, and the forecast of the month. */
export function KeyFigures({
  overview,
  before,
  isFiltered,
  today,
}: {
  overview: UsageOverview
  /** The cells of the range of the same length before. */
  before: readonly UsageCell[]
  /** Whether the range is only of an agent or a project. */
  isFiltered: boolean
  today: Day
}) {
  const {cells, savedUsd, runCount, sessionCount, forecast, budget} = overview
  const cost = sumCells(cells, 'spend')
  const tokens = sumTokens(cells)
  const cacheShare = shareOfCache(tokens)
  // The forecast and the budget are of all agents and projects.
  const scope = isFiltered ? 'all usage' : nameMonth(today)
  return (
    <section className={styles.figures} aria-label="Key figures">
      <Figure
        title={`Spend, ${nameRange(overview, today)}`}
        value={<Cost usd={cost.value} isEstimate={cost.isEstimate} />}
      >
        {describeChange(compareCosts(cost, sumCells(before, 'spend')), countDays(overview))}
      </Figure>
      <Figure title="Tokens" value={formatTokenTotal(countTokens(tokens))}>
        {formatTokenTotal(tokens.input)} input · {formatTokenTotal(tokens.output)} output
      </Figure>
      <Figure title="Cache share" value={cacheShare === undefined ? '—' : formatShare(cacheShare)}>
        of input read from cache.{' '}
        {savedUsd !== null && (
          <span className={styles.saved}>
            Saved <Cost usd={savedUsd} isEstimate />
          </span>
        )}
      </Figure>
      <Figure title="Sessions and runs" value={formatNumber(sessionCount + runCount)}>
        {formatCount(sessionCount, 'session')} · {formatCount(runCount, 'run')}
      </Figure>
      <Figure title={`Forecast, ${scope}`} value={<Cost usd={forecast?.usd ?? null} isEstimate />}>
        {forecast === null
          ? 'Too little data so far'
          : `${formatMoney(forecast.lowUsd)} to ${formatMoney(forecast.highUsd)}, from the last 28\u00A0days`}
      </Figure>
      <BudgetFigure title={`Budget, ${scope}`} budget={budget} today={today} />
    </section>
  )
}

function describeChange(change: number | undefined, days: number): string {
  const period = days === 1 ? 'day before' : `${days} days before`
  if (change === undefined) return `No cost to compare in the ${period}`
  const percent = Math.round(change * 100)
  const sign = percent < 0 ? '−' : '+'
  return `${sign}${formatNumber(Math.abs(percent))} % against the ${period}`
}
