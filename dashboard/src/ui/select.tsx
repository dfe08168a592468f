import styles from './select.module.css'

/** A value with its words. */
export type SelectOption = readonly [value: string, words: string]

/** A choice of one of many options. */
export function Select({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  /** The values with their words. A value that is not among them is shown as it is. */
  options: readonly SelectOption[]
  value: string
  onChange: (value: string) => void
}) {
  const isKnown = options.some(([own]) => own === value)
  return (
    <select
      className={styles.select}
      aria-label={label}
      value={value}
      onChange={({target}) => onChange(target.value)}
    >
      {options.map(([own, words]) => (
        <option key={own} value={own}>
          {words}
        </option>
      ))}
      {!isKnown && <option value={value}>{value}</option>}
    </select>
  )
}
