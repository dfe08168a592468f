import {useRef, type KeyboardEvent} from 'react'
import {formatNumber} from './figures.ts'
import {Icon, type IconName} from './icon.tsx'
import styles from './segmented.module.css'

/** An option of a {@link Segmented} choice. */
export interface Segment<T extends string> {
  value: T
  word: string
  icon?: IconName | undefined
  count?: number | undefined
}

/** A choice of one of a few options side by side; the arrow keys choose. */
export function Segmented<T extends string>({
  label,
  segments,
  value,
  onChange,
}: {
  label: string
  segments: readonly Segment<T>[]
  value: T
  onChange: (value: T) => void
}) {
  const group = useRef<HTMLSpanElement>(null)
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = segments.findIndex((segment) => segment.value === value)
    const next = segments[(at + step + segments.length) % segments.length]
    if (next === undefined) return
    onChange(next.value)
    group.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <span className={styles.segmented} role="radiogroup" aria-label={label} ref={group}>
      {segments.map(({value: own, word, icon, count}) => (
        <button
          key={own}
          type="button"
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot contain its label
          role="radio"
          aria-checked={own === value}
          tabIndex={own === value ? 0 : -1}
          data-value={own}
          onClick={() => onChange(own)}
          onKeyDown={press}
        >
          {icon !== undefined && <Icon name={icon} size={14} />} {word}
          {count !== undefined && <b> {formatNumber(count)}</b>}
        </button>
      ))}
    </span>
  )
}

const STEPS: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
}
