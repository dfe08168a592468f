import {memo, type KeyboardEvent} from 'react'
import type {Entry} from '../model/entry.ts'
import {entryAt} from '../model/rows.ts'
import {classNames} from '../ui/class-names.ts'
import {formatOffset, formatWhen} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {describeEntry} from './describe-entry.ts'
import {EntryBody, EntryHead, EntryFacts} from './entry-parts.tsx'
import styles from './entry-row.module.css'
import {useRun} from './run-context.ts'

export const EntryRow = memo(function EntryRow({
  index,
  count,
  row,
  measure,
  isSelected,
  isOpen,
}: {
  /** Changes whenever the entry changes: entries are mutated in place. */
  revision: string
  index: number
  count: number
  row: Entry
  measure(element: HTMLElement | null): void
  isSelected: boolean
  isOpen: boolean
}) {
  const {startedAt, until, actions} = useRun()
  const {depth} = row
  const entry = entryAt(row, until)
  const {icon, kind, canOpen, label} = describeEntry(entry)
  const toggle = () => {
    actions.select(entry.id)
    if (canOpen) actions.toggle(entry.id, !isOpen)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return
    event.preventDefault()
    toggle()
  }
  const head = (
    <>
      <EntryHead entry={entry} isOpen={isOpen} />
      <span className={styles.facts}>
        <EntryFacts entry={entry} />
        {canOpen && (
          <span className={styles.chevron}>
            <Icon name="chev" size={14} />
          </span>
        )}
      </span>
    </>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an article of a feed is walked to and opened by key
    <article
      ref={measure}
      data-index={index}
      data-entry={entry.id}
      className={classNames(
        styles.row,
        entry.type === 'text' && styles.isText,
        isSelected && styles.isSelected,
      )}
      data-kind={kind}
      data-depth={Math.min(depth, 4)}
      aria-posinset={index + 1}
      aria-setsize={count}
      aria-label={label}
      aria-current={isSelected ? 'true' : undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an article of a feed is walked to
      tabIndex={isSelected ? 0 : -1}
      onKeyDown={press}
      onFocus={() => !isSelected && actions.select(entry.id)}
    >
      <time className={styles.time} title={formatWhen(entry.at)}>
        {depth === 0 ? formatOffset(entry.at - startedAt) : ''}
      </time>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.content}>
        {hasHead(entry) &&
          (canOpen ? (
            <button
              type="button"
              className={styles.head}
              aria-expanded={isOpen}
              tabIndex={-1}
              onClick={toggle}
            >
              {head}
            </button>
          ) : (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keys are on the article
            <div className={styles.head} onClick={() => actions.select(entry.id)}>
              {head}
            </div>
          ))}
        <EntryBody entry={entry} isOpen={isOpen} />
      </div>
    </article>
  )
})

/** An entry that is only a box has no first line. */
function hasHead(entry: Entry): boolean {
  return (
    entry.type !== 'prompt' &&
    entry.type !== 'turn' &&
    !(entry.type === 'text' && !entry.isThinking)
  )
}
