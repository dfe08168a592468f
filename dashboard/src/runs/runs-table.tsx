import {useLayoutEffect, useRef, type MouseEvent, type ReactNode} from 'react'
import common from '../ui/common.module.css'
import {formatNumber} from '../ui/figures.ts'
import {RunRow, type RowProps} from './run-row.tsx'
import styles from './runs-table.module.css'
import {NEEDS_YOU} from '../shell/sections.ts'
import type {RowMeasure, TableItem} from './table-items.ts'
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

/** All runs under their headings. */
export function RunsTable({
  items,
  focus,
  onHover,
  onRelease,
  onFocused,
  onAskToStop,
}: {
  items: readonly TableItem[]
  focus: TableFocus
  /** Whether the pointer is over the table. */
  onHover: (isOver: boolean) => void
  /** Releases held rows. */
  onRelease: () => void
} & Pick<RowProps, 'onFocused' | 'onAskToStop'>) {
  const swallow = useShiftGuard(items)
  const render = (item: TableItem, index: number, measure?: RowMeasure): ReactNode =>
    item.type === 'section' ? (
      <SectionRow
        key={item.key}
        item={item}
        rowIndex={index + 2}
        measure={measure}
        onRelease={onRelease}
      />
    ) : (
      <RunRow
        key={item.key}
        run={item.run}
        rowIndex={index + 2}
        measure={measure}
        isSelected={item.key === focus.selectedId}
        isWanted={item.key === focus.wantedId}
        hasKeys={item.key === focus.targetId}
        isAskingToStop={item.key === focus.stoppingId}
        onFocused={onFocused}
        onAskToStop={onAskToStop}
      />
    )
  return (
    <table
      className={styles.table}
      aria-label="Runs"
      aria-rowcount={items.length + 1}
      onPointerEnter={({pointerType}) => pointerType === 'mouse' && onHover(true)}
      onPointerLeave={() => onHover(false)}
      onClickCapture={swallow}
    >
      <thead>
        <tr className={styles.columns} aria-rowindex={1}>
          <th scope="col">State</th>
          <th scope="col">Run</th>
          <th scope="col">Last 10 min</th>
          <th scope="col" className={styles.planColumn}>
            Plan
          </th>
          <th scope="col" className={styles.number}>
            Cost
          </th>
          <th scope="col" className={styles.number}>
            Time
          </th>
        </tr>
      </thead>
      <TableRows items={items} wantedKey={focus.wantedId} render={render} />
    </table>
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
  return (
    <tr className={styles.section} aria-rowindex={rowIndex} {...measure}>
      <th colSpan={6} scope="rowgroup">
        <h2>{section.title}</h2>
        <span className={common.tabular}>
          {section.note ?? formatNumber(section.runIds.length)}
        </span>
        {words !== '' && (
          <button type="button" className={styles.moved} onClick={onRelease}>
            {words}
          </button>
        )}
      </th>
    </tr>
  )
}

/** A click right after rows moved down was meant for another row. */
const SHIFT_MS = 300

/** Creates a handler that ignores clicks just after a row that needs attention was inserted at the top. */
function useShiftGuard(items: readonly TableItem[]) {
  const first = items[0]
  const urgent = first?.type === 'section' && first.section.key === NEEDS_YOU
  const count = urgent ? first.section.runIds.length : 0
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
    // The first row is the table heading, the second the heading of runs that need attention.
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
