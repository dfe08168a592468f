import {useId} from 'react'
import styles from './segmented.module.css'

/** A choice of one of a few options, side by side. */
export function Segmented<T extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  label: string
  options: readonly {value: T; words: string; keys?: string}[]
  value: T
  onChoose: (value: T) => void
}) {
  const id = useId()
  return (
    <div className={styles.choice} role="radiogroup" aria-labelledby={id}>
      <span className={styles.label} id={id}>
        {label}
      </span>
      <span className={styles.segments}>
        {options.map((option) => (
          <label key={option.value} className={styles.segment}>
            <input
              type="radio"
              className={styles.input}
              name={id}
              checked={option.value === value}
              aria-keyshortcuts={option.keys}
              onChange={() => onChoose(option.value)}
            />
            {option.words}
          </label>
        ))}
      </span>
    </div>
  )
}
