import type {ReactNode} from 'react'
import type {Tone} from './state.ts'
import styles from './tag.module.css'

/** A word on a tint; `drift` marks a record that the parser does not know. */
export function Tag({tone, children}: {tone: Tone | 'drift'; children: ReactNode}) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  )
}
