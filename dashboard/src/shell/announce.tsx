import {useSyncExternalStore} from 'react'

/** Says something to those who hear the page: politely, or at once when a person is needed. */
export function announce(text: string, manner: 'polite' | 'assertive' = 'polite'): void {
  // The same again is no change, and would not be heard.
  said = {...said, [manner]: said[manner] === text ? `${text}\u00A0` : text}
  for (const listener of listeners) listener()
}

/** Where screen readers find what is announced. */
export function LiveRegions() {
  const {polite, assertive} = useSyncExternalStore(subscribe, () => said)
  return (
    <div className="sr">
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
