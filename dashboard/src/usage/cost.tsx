import {formatMoney} from '../../../src/core/text/figures.ts'
import {formatCost} from '../ui/figures.ts'
import type {Amount, Unit} from './amounts.ts'
import styles from './cost.module.css'
import {formatTokenTotal} from './figures.ts'

/** A cost, with a sign before it when it is an estimate. */
export function Cost({usd, isEstimate}: {usd: number | null; isEstimate: boolean}) {
  if (usd === null) return '—'
  return (
    <>
      {isEstimate && (
        <abbr className={styles.estimate} title="Estimate: tokens × list price">
          ≈
        </abbr>
      )}
      {formatMoney(usd)}
    </>
  )
}

/** A sum of costs or tokens; a dash when there is none. */
export function AmountText({amount, unit}: {amount: Amount | undefined; unit: Unit}) {
  if (amount === undefined || amount.value === null) return '—'
  if (unit === 'tokens') return formatTokenTotal(amount.value)
  return <Cost usd={amount.value} isEstimate={amount.isEstimate} />
}

/** Formats a sum of costs or tokens: `≈ $1.52`, `44.9M tokens`. */
export function formatAmount({value, isEstimate}: Amount, unit: Unit): string {
  if (value === null) return 'unknown'
  return unit === 'tokens' ? `${formatTokenTotal(value)} tokens` : formatCost(value, isEstimate)
}
