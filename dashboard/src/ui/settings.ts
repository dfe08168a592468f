/** Settings kept in this browser. */
export type Setting = 'theme' | 'keys'

/** Reads a setting; undefined without browser storage. */
export function readSetting(name: Setting): string | undefined {
  try {
    return localStorage.getItem(`vitrine-${name}`) ?? undefined
  } catch {
    return undefined
  }
}

/** Saves a setting. */
export function writeSetting(name: Setting, value: string): void {
  try {
    localStorage.setItem(`vitrine-${name}`, value)
  } catch {
    // Without storage it lasts until the page is closed.
  }
}
