import {escapeControlsMultiline} from './readable.ts'

/** A part of a line in one style; its text contains no control characters. */
export interface AnsiRun {
  text: string
  className: string
}

/** Creates an empty terminal line, in which text can be overwritten. */
export function createAnsiLine() {
  const characters: string[] = []
  const classNames: string[] = []
  let cursor = 0
  // An erased part is not erased again, which keeps a line of erasures linear.
  let blankUntil = 0

  function put(character: string, className: string): void {
    blankUntil = Math.min(blankUntil, cursor)
    characters[cursor] = character
    classNames[cursor] = className
    cursor++
  }

  return {
    write(text: string, className: string): void {
      for (const character of escapeControlsMultiline(text)) put(character, className)
    },
    tab(className: string): void {
      do {
        if (cursor < characters.length) cursor++
        else put(' ', className)
      } while (cursor % TAB !== 0)
    },
    goToStart(): void {
      cursor = 0
    },
    goBack(): void {
      cursor = Math.max(0, cursor - 1)
    },
    /** By the parameter of EL: to the end, from the start, or all. */
    erase(parameter: string): void {
      if (parameter === '1' || parameter === '2') {
        characters.fill(' ', blankUntil, cursor)
        classNames.fill('', blankUntil, cursor)
        blankUntil = cursor
      }
      if (parameter === '1') return
      characters.length = cursor
      classNames.length = cursor
      blankUntil = Math.min(blankUntil, cursor)
    },
    toRuns(): AnsiRun[] {
      const runs: AnsiRun[] = []
      let start = 0
      for (let at = 1; at <= characters.length; at++) {
        if (at < characters.length && classNames[at] === classNames[start]) continue
        runs.push({text: characters.slice(start, at).join(''), className: classNames[start] ?? ''})
        start = at
      }
      return runs
    },
  }
}

const TAB = 8
