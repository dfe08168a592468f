import type {ReactNode} from 'react'
import {classNames} from './class-names.ts'
import {Icon, type IconName} from './icon.tsx'
import styles from './notice.module.css'

/** A notice above a page: a warning by default. */
export function Notice({
  tone = 'warning',
  icon,
  children,
  actions,
}: {
  tone?: 'warning' | 'neutral' | 'good'
  icon: IconName
  children: ReactNode
  /** Buttons at its end. */
  actions?: ReactNode
}) {
  return (
    <div className={classNames(styles.notice, TONES[tone])}>
      <Icon name={icon} />
      <output className={styles.words}>{children}</output>
      {actions}
    </div>
  )
}

const TONES = {warning: undefined, neutral: styles.neutral, good: styles.good}
