import {makeReadable} from './readable.ts'

/** A part of a line in one style; its text contains no control characters. */
export interface AnsiRun {
  text: string
  className: string
}

/** A terminal line in which text can be overwritten. */
export interface AnsiLine {
  write: (text: string, className: string) => void
  tab: (className: string) => void
  /** To a column, or one to the left. */
  moveTo: (column: 0 | -1) => void
  /** By the parameter of EL: to the end, from the start, or all. */
  erase: (parameter: string) => void
  toRuns: () => AnsiRun[]
}

/** Creates an empty line. */
export function createAnsiLine(): AnsiLine {
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
    write: (text, className) => {
      for (const character of makeReadable(text)) put(character, className)
    },
    tab: (className) => {
      do {
        if (cursor < characters.length) cursor++
        else put(' ', className)
      } while (cursor % TAB !== 0)
    },
    moveTo: (column) => {
      cursor = column === 0 ? 0 : Math.max(0, cursor - 1)
    },
    erase: (parameter) => {
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
    toRuns: () => {
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
