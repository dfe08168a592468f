import {useLayoutEffect, useRef, type MouseEvent, type ReactNode} from 'react'
import {formatNumber} from '../ui/figures.ts'
import {RunRow, type RowProps} from './run-row.tsx'
import {NEEDS_YOU} from '../shell/sections.ts'
import type {TableItem} from './table-items.ts'
import {TableRows} from './table-rows.tsx'
import type {RowMeasure} from './rows-props.ts'

/** What is chosen in the table, and what its keys mean. */
export interface TableFocus {
  selectedId: string | undefined
  /** Who is to get the focus next. */
  wantedId: string | undefined
  /** Whom `a`, `d` and `x` mean. */
  targetId: string | undefined
  /** Whom it is asked about whether to stop. */
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
  /** Whether something points at the table. */
  onHover: (isOver: boolean) => void
  /** Lets rows move to where they belong. */
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
      className="tbl"
      aria-label="Runs"
      aria-rowcount={items.length + 1}
      onPointerEnter={({pointerType}) => pointerType === 'mouse' && onHover(true)}
      onPointerLeave={() => onHover(false)}
      onClickCapture={swallow}
    >
      <thead>
        <tr className="cols" aria-rowindex={1}>
          <th scope="col">State</th>
          <th scope="col">Run</th>
          <th scope="col">Last 10 min</th>
          <th scope="col">Plan</th>
          <th scope="col" className="r">
            Cost
          </th>
          <th scope="col" className="r">
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
    <tr className="grp" aria-rowindex={rowIndex} {...measure}>
      <th colSpan={6} scope="rowgroup">
        <h2>{section.title}</h2>
        <span className="num">{section.note ?? formatNumber(section.runIds.length)}</span>
        {words !== '' && (
          <button type="button" className="moved" onClick={onRelease}>
            {words}
          </button>
        )}
      </th>
    </tr>
  )
}

/** A click right after rows were pushed down was meant for another row. */
const SHIFT_MS = 300

/** Gives what swallows clicks just after somebody who needs an answer came in on top. */
function useShiftGuard(items: readonly TableItem[]) {
  const first = items[0]
  const needy = first?.type === 'section' && first.section.key === NEEDS_YOU
  const count = needy ? first.section.runIds.length : 0
  const last = useRef(count)
  const shiftedAt = useRef(-Infinity)
  useLayoutEffect(() => {
    if (count > last.current) shiftedAt.current = performance.now()
    last.current = count
  }, [count])
  return (event: MouseEvent<HTMLTableElement>) => {
    // What a key clicks on has the focus, wherever it went.
    const isByKey = event.detail === 0
    if (isByKey || performance.now() - shiftedAt.current > SHIFT_MS) return
    // The heading of the table is its first row, and the one of those who need somebody its second.
    if (isHeldInPlace(event.currentTarget.querySelector(`[aria-rowindex="${count + 2}"]`))) return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Whether what is on screen stays there when something comes in above a row, as that row is out of view. */
function isHeldInPlace(row: Element | null): boolean {
  const isAbove = row === null || row.getBoundingClientRect().bottom <= 0
  return isAbove && CSS.supports('overflow-anchor', 'auto')
}
