import {useEffect, useRef, useSyncExternalStore} from 'react'
import {createKeyboard, type KeyPress, type KeyScope, type KeyTable} from './keyboard.ts'
import {readSetting, writeSetting} from './settings.ts'

const keyboard = createKeyboard()

/** Gives keys a meaning for as long as a component is there. The words of the first table count, its actions are always the latest. */
export function useKeys(
  title: string,
  table: KeyTable,
  {isExclusive = false, isOutermost = false}: Pick<KeyScope, 'isExclusive' | 'isOutermost'> = {},
): void {
  const latest = useRef(table)
  useEffect(() => {
    latest.current = table
  })
  // A key that comes or goes makes another scope; another action does not.
  const names = Object.keys(table).join('\n')
  useEffect(() => {
    const entries = names
      .split('\n')
      .filter((name) => name !== '')
      .map((name) => {
        const action = latest.current[name]
        return [
          name,
          {...action, words: action?.words ?? '', act: () => latest.current[name]?.act()},
        ]
      })
    return keyboard.add({title, table: Object.fromEntries(entries), isExclusive, isOutermost})
  }, [title, names, isExclusive, isOutermost])
}

/** What keys mean now, the innermost last. */
export function useKeyScopes(): readonly KeyScope[] {
  return useSyncExternalStore(keyboard.subscribe, keyboard.getScopes)
}

/** Begins to listen to the keyboard; gives what ends that. */
export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (!areKeysOn() && event.key.length === 1) return
    const {key, repeat: isRepeated} = event
    const focus = findFocus(event.target)
    if (keyboard.press({key, isRepeated, at: event.timeStamp, focus})) event.preventDefault()
  }
  addEventListener('keydown', press)
  return () => removeEventListener('keydown', press)
}

/** Whether keys of one character do anything: who speaks to the browser can turn them off. */
export function areKeysOn(): boolean {
  isOn ??= readSetting('keys') !== 'off'
  return isOn
}

/** Turns keys of one character on or off. */
export function setKeysOn(value: boolean): void {
  isOn = value
  writeSetting('keys', value ? 'on' : 'off')
}

let isOn: boolean | undefined

const FIELDS = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]'

function findFocus(target: EventTarget | null): KeyPress['focus'] {
  if (!(target instanceof Element)) return 'page'
  if (target.closest(FIELDS) !== null) return 'field'
  if (target.closest('input[type=radio]') !== null) return 'option'
  return target.closest('a, button, summary, input, [role=button]') === null ? 'page' : 'control'
}
