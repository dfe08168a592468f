import type {ReactNode} from 'react'
import styles from './figure.module.css'

/** A number with its name above and its context below. */
export function Figure({
  title,
  value,
  children,
}: {
  title: string
  value: ReactNode
  children: ReactNode
}) {
  return (
    <div className={styles.figure}>
      <h2 className={styles.title}>{title}</h2>
      <span className={styles.value}>{value}</span>
      <div className={styles.context}>{children}</div>
    </div>
  )
}
