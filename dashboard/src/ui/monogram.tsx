import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {monogramOf} from './monogram-of.ts'

/** Two letters for the agent of a run. */
export function Monogram({run}: {run: Pick<RunSummary, 'agent' | 'monogram'>}) {
  const name = run.agent ?? 'a command'
  return (
    <span className="ag" title={name}>
      <span aria-hidden="true">{monogramOf(run)}</span>
      <span className="sr">{name}</span>
    </span>
  )
}
