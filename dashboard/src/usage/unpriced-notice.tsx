import {escapeControls} from '../../../src/core/text/text.ts'
import type {UsageOverview} from '../hub/usage-api.ts'
import {formatCount} from '../ui/figures.ts'
import {Notice} from '../ui/notice.tsx'
import {formatTokenTotal} from './figures.ts'

const MAX_NAMES = 4

/** Names the models whose cost is missing in all sums. */
export function UnpricedNotice({unpriced}: {unpriced: UsageOverview['unpriced']}) {
  if (unpriced.length === 0) return null
  const tokens = unpriced.reduce((sum, model) => sum + model.tokens, 0)
  const isOne = unpriced.length === 1
  const hidden = unpriced.length - MAX_NAMES
  return (
    <Notice icon="price">
      <b>
        {formatCount(unpriced.length, 'model')} {isOne ? 'has' : 'have'} no price:
      </b>{' '}
      {unpriced.slice(0, MAX_NAMES).map(({model}, index) => (
        <span key={model}>
          {index > 0 && ', '}
          <code>{escapeControls(model) || 'unknown model'}</code>
        </span>
      ))}
      {hidden > 0 && ` and ${hidden} more`}.{' '}
      <small>
        {isOne ? 'Its' : 'Their'} {formatTokenTotal(tokens)} tokens are counted,{' '}
        {isOne ? 'its' : 'their'} cost is not. Spend is too low by that amount. Add{' '}
        <code>prices</code> to <code>config.json</code> in the data folder.
      </small>
    </Notice>
  )
}
