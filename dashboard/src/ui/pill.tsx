import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {Icon} from './icon.tsx'
import {describeState} from './state.ts'

/** The state of a run in a word. Solid when it needs attention. */
export function Pill({run}: {run: RunSummary}) {
  const {tone, icon, word} = describeState(run)
  return (
    <span className={`pill p-${tone}`}>
      {icon === 'live' ? <span className="live" /> : <Icon name={icon} />}
      {word}
    </span>
  )
}
