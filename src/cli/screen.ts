import {print} from './output.ts'

/** A terminal with rows at the bottom that are redrawn in place. */
export interface Screen {
  /** Writes lines above those rows. */
  write(text: string): void
  /** Replaces those rows; an empty list removes them. */
  draw(rows: readonly string[]): void
}

/** Creates a screen on stdout. */
export function createScreen(): Screen {
  let shown: readonly string[] = []
  return {
    write(text) {
      if (text !== '') put(text, shown)
    },
    draw(rows) {
      if (rows.length !== shown.length || rows.some((row, index) => row !== shown[index])) {
        put('', rows)
      }
    },
  }

  /** Writes everything at once to avoid flicker. */
  function put(text: string, rows: readonly string[]): void {
    const up = shown.length > 1 ? `\u001b[${shown.length - 1}A` : ''
    const erase = shown.length > 0 ? `${up}\r\u001b[J` : ''
    shown = rows
    // The cursor stays in column 0, so that an echoed `^C` does not add a line.
    void print(`${erase}${text}${rows.join('\n')}${rows.length > 0 ? '\r' : ''}`)
  }
}
