import {useEffect} from 'react'
import {createKeyboard, type KeyPress, type KeyScope, type KeyTable} from './keyboard.ts'
import {createStore, useStore} from '../ui/create-store.ts'
import {readSetting, writeSetting} from '../ui/settings.ts'
import {useLatest} from '../ui/use-latest.ts'

const keyboard = createKeyboard()

/** Registers keys while a component is mounted. Labels are those of the first render; actions are always the latest. */
export function useKeys(
  title: string,
  table: KeyTable,
  {isExclusive = false, isOutermost = false}: Pick<KeyScope, 'isExclusive' | 'isOutermost'> = {},
): void {
  const latest = useLatest(table)
  // A new or removed key creates a new scope; a new action does not.
  const names = Object.keys(table).join('\n')
  useEffect(() => {
    const entries = Object.entries(latest.current).map(([name, action]) => [
      name,
      {...action, act: () => latest.current[name]?.act()},
    ])
    return keyboard.add({title, table: Object.fromEntries(entries), isExclusive, isOutermost})
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [title, names, isExclusive, isOutermost, latest])
}

/** The active keys, the innermost last. */
export function useKeyScopes(): readonly KeyScope[] {
  return useStore(keyboard.scopes)
}

/** Starts listening to the keyboard; returns a function that ends it. */
export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!areKeysOn.get() && event.key.length === 1) return
    const {key, repeat: isRepeated} = event
    const focus = findFocus(event.target)
    if (keyboard.press({key, isRepeated, at: event.timeStamp, focus})) event.preventDefault()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

/** Whether single-character keys are active: users of voice control can turn them off. */
export const areKeysOn = createStore(readSetting('keys') !== 'off')

/** Turns single-character keys on or off. */
export function setKeysOn(value: boolean): void {
  areKeysOn.set(value)
  writeSetting('keys', value ? 'on' : 'off')
}

const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]'

function findFocus(target: EventTarget | null): KeyPress['focus'] {
  if (!(target instanceof Element)) return 'page'
  if (target.closest(FIELDS) !== null) return 'field'
  if (target.closest('input[type=radio]') !== null) return 'option'
  return target.closest('a, button, summary, input, [role=button]') === null ? 'page' : 'control'
}
