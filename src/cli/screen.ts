import {print} from './output.ts'

/** A terminal with rows at its bottom that are redrawn in place. */
export interface Screen {
  /** Writes lines above those rows. */
  write(text: string): void
  /** Puts other rows there; none takes them away. */
  draw(rows: readonly string[]): void
}

/** Makes a screen of stdout. */
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

  /** In one piece, so that nothing flickers. */
  function put(text: string, rows: readonly string[]): void {
    const up = shown.length > 1 ? `\u001b[${shown.length - 1}A` : ''
    const erase = shown.length > 0 ? `${up}\r\u001b[J` : ''
    shown = rows
    // At the start of the row, where a Ctrl-C that the terminal shows makes no new line.
    void print(`${erase}${text}${rows.join('\n')}${rows.length > 0 ? '\r' : ''}`)
  }
}
