import {useSyncExternalStore} from 'react'
import {readSetting, writeSetting} from './settings.ts'

/** Light or dark. */
export type Theme = 'light' | 'dark'

const DARK = '(prefers-color-scheme: dark)'

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
}

/** The current theme, for drawings outside CSS. */
export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, getTheme)
}

/** Calls back when the theme may have changed; returns a function that ends it. */
export function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, {attributeFilter: ['data-theme']})
  const queries = [DARK, '(forced-colors: active)'].map((query) => matchMedia(query))
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}

/** Returns the theme that is visible now. */
export function getTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  if (isTheme(chosen)) return chosen
  return matchMedia(DARK).matches ? 'dark' : 'light'
}

function isTheme(value: string | undefined): value is Theme {
  return value === 'light' || value === 'dark'
}
