import {classNames} from './class-names.ts'
import styles from './live-dot.module.css'

/** A pulsing dot: the run is live. */
export function LiveDot({isSmall = false}: {isSmall?: boolean}) {
  return <span className={classNames(styles.liveDot, isSmall && styles.small)} />
}
