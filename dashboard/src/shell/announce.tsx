import {useSyncExternalStore} from 'react'
import common from '../ui/common.module.css'

/** Announces a text to screen readers: politely, or immediately when attention is needed. */
export function announce(text: string, manner: 'polite' | 'assertive' = 'polite'): void {
  // An identical text would not be announced again.
  said = {...said, [manner]: said[manner] === text ? `${text}\u00A0` : text}
  for (const listener of listeners) listener()
}

/** The live regions for announcements. */
export function LiveRegions() {
  const {polite, assertive} = useSyncExternalStore(subscribe, () => said)
  return (
    <div className={common.visuallyHidden}>
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{assertive}</div>
    </div>
  )
}

let said = {polite: '', assertive: ''}
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
