/** Whether the objects and lists of a JSON text are nested deeper than a number of levels. */
export function isNestedDeeper(json: string, levels: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) isInString = !isInString
    else if (code === BACKSLASH) index++
    else if (isInString) continue
    // Both brackets differ from both braces in this bit alone.
    else if ((code | BRACE_BIT) === OPENING_BRACE && ++depth > levels) return true
    else if ((code | BRACE_BIT) === CLOSING_BRACE) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
const BRACE_BIT = 0x20
