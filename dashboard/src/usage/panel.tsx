import {useId, type ReactNode} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import {Icon} from '../ui/icon.tsx'
import styles from './panel.module.css'
import {chooseTable} from './use-controls.ts'

/** A part of the page in a frame with a heading. */
export function Panel({
  title,
  fact,
  side,
  isWide = false,
  children,
}: {
  title: string
  /** Beside the title, quieter. */
  fact?: string | undefined
  /** At the right of the heading. */
  side?: ReactNode
  /** Whether it takes all columns of the page. */
  isWide?: boolean
  children: ReactNode
}) {
  const id = useId()
  return (
    <section className={classNames(styles.panel, isWide && styles.isWide)} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        <span className={styles.fact}>{fact}</span>
        {side}
      </header>
      {children}
    </section>
  )
}

/** Switches all charts of the page to tables, and back. */
export function TableToggle({isTable}: {isTable: boolean}) {
  return (
    <Button size="small" kind="quiet" onClick={() => chooseTable(!isTable)}>
      <Icon name={isTable ? 'chart' : 'table'} size={14} />
      {isTable ? 'Show chart' : 'Show table'}
    </Button>
  )
}

/** A part that scrolls by keyboard too. */
export function Scroll({label, children}: {label: string; children: ReactNode}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it must be scrollable by keyboard
    <div className={styles.scroll} tabIndex={0} {...{role: 'group', 'aria-label': label}}>
      {children}
    </div>
  )
}
