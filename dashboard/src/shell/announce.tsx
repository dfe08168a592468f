import common from '../ui/common.module.css'
import {createStore, useStore} from '../ui/create-store.ts'

const announced = createStore({polite: '', assertive: ''})

/** Announces a text to screen readers: politely, or immediately when attention is needed. */
export function announce(text: string, manner: 'polite' | 'assertive' = 'polite'): void {
  const before = announced.get()
  // An identical text would not be announced again.
  announced.set({...before, [manner]: before[manner] === text ? `${text}\u00A0` : text})
}

/** The live regions for announcements. */
export function LiveRegions() {
  const {polite, assertive} = useStore(announced)
  return (
    <div className={common.visuallyHidden}>
      <div aria-live="polite">{polite}</div>
      <div aria-live="assertive">{assertive}</div>
    </div>
  )
}
