/** What this browser remembers for the dashboard. */
export type Setting = 'theme' | 'keys'

/** Reads what was remembered; a browser that keeps nothing is no trouble. */
export function readSetting(name: Setting): string | undefined {
  try {
    return localStorage.getItem(`vitrine-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Remembers something for the next time. */
export function writeSetting(name: Setting, value: string): void {
  try {
    localStorage.setItem(`vitrine-${name}`, value)
  } catch {
    // It holds until the page is closed, then.
  }
}
