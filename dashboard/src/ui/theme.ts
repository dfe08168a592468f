import {useSyncExternalStore} from 'react'
import {readSetting, writeSetting} from './settings.ts'

/** Light or dark. */
export type Theme = 'light' | 'dark'

/** Applies the saved theme; without one the system decides. */
export function applyTheme(): void {
  const chosen = readSetting('theme')
  if (isTheme(chosen)) document.documentElement.dataset['theme'] = chosen
}

/** Switches to the other theme and saves it. */
export function flipTheme(): void {
  const theme = getTheme() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset['theme'] = theme
  writeSetting('theme', theme)
  for (const listener of listeners) listener()
}

/** The current theme, for drawings outside CSS. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, getTheme)
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

/** Returns the theme that is visible now. */
export function getTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (isTheme(chosen)) return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function isTheme(value: string | undefined): value is Theme {
  return value === 'light' || value === 'dark'
}
