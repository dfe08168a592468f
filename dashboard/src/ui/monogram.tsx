import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import common from './common.module.css'
import {monogramOf} from './monogram-of.ts'
import styles from './monogram.module.css'

/** Two letters for the agent of a run. */
export function Monogram({run}: {run: Pick<RunSummary, 'agent' | 'monogram'>}) {
  const name = run.agent ?? 'a command'
  return (
    <span className={styles.monogram} title={name}>
      <span aria-hidden="true">{monogramOf(run)}</span>
      <span className={common.visuallyHidden}>{name}</span>
    </span>
  )
}
