import type {Waiting} from '../core/run/waiting.ts'
import {formatCount} from '../core/text/figures.ts'
import {describeWaiting} from '../core/words/state-words.ts'
import type {ProcessState} from './process.ts'

/** Describes a silent process: CPU use, children and connections. */
export function describeProcess(state: ProcessState | null): {facts: string; details: string} {
  if (state === null) return {facts: 'process alive', details: 'process alive'}
  const {cpuPercent, childCount, connectionCount} = state
  const alive = `process alive, ${cpuPercent}% CPU`
  const children =
    childCount === 0 ? 'no child' : formatCount(childCount, 'child').replace('childs', 'children')
  const connections =
    connectionCount === 0 ? 'no open connection' : formatCount(connectionCount, 'open connection')
  const facts = `${alive}, ${children}`
  return {facts, details: `${childCount === 0 ? `${facts} process` : facts}, ${connections}`}
}

/** Describes the wait and the process of a stuck run. */
export function describeDiagnosis(state: ProcessState | null, waiting: Waiting): string {
  const {details} = describeProcess(state)
  // The reason of the verdict is the suspension already.
  return waiting.why === 'suspended' ? details : `${describeWaiting(waiting)}, ${details}`
}
