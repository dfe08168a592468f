import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {createStore, useStore, type Store} from '../ui/create-store.ts'
import {formatCost, formatNumber} from '../ui/figures.ts'
import {RunRow, type RowProps} from './run-row.tsx'
import styles from './runs-table.module.css'
import {LIVE} from '../shell/sections.ts'
import type {RowMeasure, TableItem, WantedRow} from './table-items.ts'
import {TableRows} from './table-rows.tsx'

/** The selection of the table, and its keys. */
export interface TableFocus {
  selectedId: string | undefined
  /** The row that takes the focus next. */
  wantedId: string | undefined
  /** The row of `a`, `d` and `x`. */
  targetId: string | undefined
  /** The row with an open stop confirmation. */
  stoppingId: string | undefined
}

/** All runs and sessions under their headings. */
export function RunsTable({
  items,
  urgentCount,
  focus,
  wanted,
  foot,
  onHover,
  onRelease,
  onNeedMore,
  onFocused,
  onAskToStop,
}: {
  items: readonly TableItem[]
  /** How many runs at the top need attention. */
  urgentCount: number
  focus: TableFocus
  /** The row to scroll to. */
  wanted: WantedRow | undefined
  /** After the number of the visible rows. */
  foot: ReactNode
  /** Whether the pointer is over the table. */
  onHover: (isOver: boolean) => void
  /** Releases held rows. */
  onRelease: () => void
  /** Loads further rows. */
  onNeedMore: () => void
} & Pick<RowProps, 'onFocused' | 'onAskToStop'>) {
  const swallow = useShiftGuard(urgentCount)
  const [range] = useState(() => createStore<readonly [number, number]>([0, 0]))
  const onRange = useCallback((first: number, last: number) => range.set([first, last]), [range])
  const render = (item: TableItem, index: number, measure?: RowMeasure): ReactNode => {
    const props = {rowIndex: index + 2, measure}
    switch (item.type) {
      case 'section':
        return <SectionRow {...props} key={item.key} item={item} onRelease={onRelease} />
      case 'placeholder':
        return <PlaceholderRow {...props} key={item.key} />
      case 'run':
        return (
          <RunRow
            {...props}
            key={item.key}
            run={item.run}
            isSelected={item.key === focus.selectedId}
            isWanted={item.key === focus.wantedId}
            hasKeys={item.key === focus.targetId}
            isAskingToStop={item.key === focus.stoppingId}
            onFocused={onFocused}
            onAskToStop={onAskToStop}
          />
        )
      default:
        return item satisfies never
    }
  }
  return (
    <>
      <table
        className={styles.table}
        aria-label="Runs and sessions"
        aria-rowcount={items.length + 1}
        onPointerEnter={({pointerType}) => pointerType === 'mouse' && onHover(true)}
        onPointerLeave={() => onHover(false)}
        onClickCapture={swallow}
      >
        <thead>
          <tr className={styles.columns} aria-rowindex={1}>
            <th scope="col">State</th>
            <th scope="col">Run or session</th>
            <th scope="col">Kind</th>
            <th scope="col" className={styles.wideColumn}>
              Activity
            </th>
            <th scope="col" className={classNames(styles.number, styles.wideColumn)}>
              Tokens
            </th>
            <th scope="col" className={styles.number}>
              Cost
            </th>
            <th scope="col" className={styles.number}>
              Time
            </th>
          </tr>
        </thead>
        <TableRows
          items={items}
          wanted={wanted}
          render={render}
          onNeedMore={onNeedMore}
          onRange={onRange}
        />
      </table>
      <p className={classNames(styles.foot, common.tabular)}>
        <VisibleRows items={items} range={range} /> {foot}
      </p>
    </>
  )
}

function SectionRow({
  item: {section, moved, fresh},
  rowIndex,
  measure,
  onRelease,
}: {
  item: Extract<TableItem, {type: 'section'}>
  rowIndex: number
  measure: RowMeasure | undefined
  onRelease: () => void
}) {
  const news = [moved > 0 ? `${moved} moved` : '', fresh > 0 ? `${fresh} new` : '']
  const words = news.filter((word) => word !== '').join(' · ')
  const {title, count, cost} = section
  return (
    <tr className={styles.section} aria-rowindex={rowIndex} {...measure}>
      <th colSpan={7} scope="rowgroup">
        <h2>{title}</h2>
        {count !== undefined && <span className={common.tabular}>{formatNumber(count)}</span>}
        {words !== '' && (
          <button type="button" className={styles.moved} onClick={onRelease}>
            {words}
          </button>
        )}
        {cost !== undefined && (
          <span className={classNames(styles.sum, common.tabular)}>
            {formatCost(cost.usd, cost.isEstimate)}
          </span>
        )}
      </th>
    </tr>
  )
}

/** As high as the row that will replace it. */
function PlaceholderRow({rowIndex, measure}: {rowIndex: number; measure: RowMeasure | undefined}) {
  return (
    <tr className={styles.placeholder} aria-rowindex={rowIndex} {...measure}>
      <td colSpan={7}>
        <span className={common.visuallyHidden}>Loading…</span>
        <i />
      </td>
    </tr>
  )
}

/** Which rows are in view, without the headings. */
function VisibleRows({
  items,
  range,
}: {
  items: readonly TableItem[]
  range: Store<readonly [number, number]>
}) {
  const [first, last] = useStore(range)
  const count = (from: number, to: number) =>
    items.slice(from, to).filter(({type}) => type !== 'section').length
  const before = count(0, first)
  const shown = count(first, last + 1)
  const total = before + shown + count(last + 1, items.length)
  const end = Math.min(before + shown, total)
  return (
    <span>
      Rows {formatNumber(Math.min(before + 1, end))}–{formatNumber(end)} of {formatNumber(total)}.
    </span>
  )
}

/** A click right after rows moved down was meant for another row. */
const SHIFT_MS = 300

/** Creates a handler that ignores clicks just after a row that needs attention was inserted at the top. */
function useShiftGuard(count: number) {
  const last = useRef(count)
  const shiftedAt = useRef(-Infinity)
  useLayoutEffect(() => {
    if (count > last.current) shiftedAt.current = performance.now()
    last.current = count
  }, [count])
  return (event: MouseEvent<HTMLTableElement>) => {
    // A click by keyboard goes to the focused element, even if it moved.
    const isByKey = event.detail === 0
    if (isByKey || performance.now() - shiftedAt.current > SHIFT_MS) return
    // The first row is the table heading, the second the heading of live runs.
    if (isHeldInPlace(event.currentTarget.querySelector(`[aria-rowindex="${count + 2}"]`))) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Whether inserting above a row does not move the visible rows, because that row is out of view. */
function isHeldInPlace(row: Element | null): boolean {
  const isAbove = row === null || row.getBoundingClientRect().bottom <= 0
  return isAbove && CSS.supports('overflow-anchor', 'auto')
}

/** How many runs at the top need attention. */
export function countUrgent(items: readonly TableItem[], urgent: ReadonlySet<string>): number {
  const [first] = items
  if (first?.type !== 'section' || first.section.key !== LIVE) return 0
  return first.section.runIds.filter((runId) => urgent.has(runId)).length
}
