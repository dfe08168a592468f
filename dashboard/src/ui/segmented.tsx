import {useId} from 'react'
import {formatNumber} from './figures.ts'
import {Icon, type IconName} from './icon.tsx'
import styles from './segmented.module.css'

/** An option of a {@link Segmented} choice. */
export interface Segment<T extends string> {
  value: T
  words: string
  icon?: IconName | undefined
  count?: number | undefined
  /** The keyboard shortcut that selects it. */
  keys?: string | undefined
}

/** A choice of one of a few options side by side. */
export function Segmented<T extends string>({
  label,
  isLabelShown = false,
  segments,
  value,
  onChange,
}: {
  label: string
  isLabelShown?: boolean
  segments: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
}) {
  const name = useId()
  return (
    <span className={styles.choice} role="radiogroup" aria-label={label}>
      {isLabelShown && (
        <span className={styles.label} aria-hidden="true">
          {label}
        </span>
      )}
      <span className={styles.segments}>
        {segments.map(({value: own, words, icon, count, keys}) => (
          <label key={own} className={styles.segment}>
            <input
              type="radio"
              className={styles.input}
              name={name}
              checked={own === value}
              aria-keyshortcuts={keys}
              onChange={() => onChange(own)}
            />
            {icon !== undefined && <Icon name={icon} size={14} />}
            {words}
            {count !== undefined && <b> {formatNumber(count)}</b>}
          </label>
        ))}
      </span>
    </span>
  )
}
