import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {Icon} from './icon.tsx'
import {LiveDot} from './live-dot.tsx'
import styles from './pill.module.css'
import {describeState} from './state.ts'

/** The state of a run in a word. Solid when it needs attention. */
export function Pill({run}: {run: RunSummary}) {
  const {tone, icon, word} = describeState(run)
  return (
    <span className={styles.pill} data-tone={tone}>
      {icon === 'live' ? <LiveDot /> : <Icon name={icon} />}
      {word}
    </span>
  )
}
