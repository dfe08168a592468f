import type {KeyboardEvent, RefObject} from 'react'
import {updateQuery} from '../shell/router.ts'
import common from '../ui/common.module.css'
import {formatNumber} from '../ui/figures.ts'
import {Icon, type IconName} from '../ui/icon.tsx'
import styles from './runs-bar.module.css'
import type {Show, Sort} from '../shell/sections.ts'

/** The filter and the order of the list. */
export interface RunsView {
  show: Show
  sort: Sort
  isByWorkOrder: boolean
}

const CHIPS: readonly {show: Show; words: string; icon?: IconName}[] = [
  {show: 'all', words: 'All'},
  {show: 'needs-you', words: 'Needs you', icon: 'hand'},
  {show: 'working', words: 'Working'},
  {show: 'waiting', words: 'Waiting', icon: 'hourglass'},
  {show: 'failed', words: 'Failed', icon: 'fail'},
]

/** The chips, the filter and the order of the list. */
export function RunsBar({
  view,
  counts,
  hasWorkOrders,
  filter,
  field,
  onFilter,
}: {
  view: RunsView
  counts: Readonly<Record<Show, number>>
  /** Whether any work order has several runs. */
  hasWorkOrders: boolean
  filter: string
  field: RefObject<HTMLInputElement | null>
  onFilter: (text: string) => void
}) {
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (filter === '') event.currentTarget.blur()
    else onFilter('')
  }
  return (
    <search className={styles.bar} aria-label="Which runs">
      {CHIPS.map(({show, words, icon}) => (
        <button
          type="button"
          key={show}
          className={styles.chip}
          aria-pressed={view.show === show}
          onClick={() => updateQuery({show: show === 'all' ? undefined : show})}
        >
          {icon !== undefined && <Icon name={icon} />}
          {words} <b>{formatNumber(counts[show])}</b>
        </button>
      ))}
      <span className={styles.spacer} />
      {(hasWorkOrders || view.isByWorkOrder) && (
        <label className={styles.option}>
          <input
            type="checkbox"
            checked={view.isByWorkOrder}
            onChange={({target}) => updateQuery({by: target.checked ? 'order' : undefined})}
          />
          By work order
        </label>
      )}
      <label className={styles.option}>
        <span className={common.visuallyHidden}>Order</span>
        <select
          className={styles.order}
          value={view.sort}
          onChange={({target}) =>
            updateQuery({sort: target.value === 'newest' ? undefined : target.value})
          }
        >
          <option value="newest">Newest first</option>
          <option value="cost">Cost</option>
          <option value="time">Time</option>
        </select>
      </label>
      <input
        ref={field}
        type="search"
        className={styles.filter}
        value={filter}
        placeholder="Filter: agent:claude dir:ledger cost:>1"
        aria-label="Filter"
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        onChange={({target}) => onFilter(target.value)}
        onKeyDown={press}
      />
    </search>
  )
}
