/** The text of a file as an agent prints it. */
export interface NumberedText {
  text: string
  /** The number of its first line, if it had numbers. */
  firstLine: number | undefined
  /** The text after the numbered lines, such as a reminder to the model. */
  rest: string
}

const NUMBERED = /^ {0,8}(\d{1,9})(?:\t|→|\| ?|: )/

/** Removes the line numbers that agents print before each line of a file: `   12⇥`, `12→`. */
export function stripNumbers(output: string): NumberedText {
  const first = NUMBERED.exec(output)?.[1]
  if (first === undefined) return {text: output, firstLine: undefined, rest: ''}
  const firstLine = Number(first)
  const lines: string[] = []
  let at = 0
  while (at < output.length) {
    const newline = output.indexOf('\n', at)
    const end = newline === -1 ? output.length : newline
    const found = NUMBERED.exec(output.slice(at, Math.min(end, at + 24)))
    if (found === null || Number(found[1]) !== firstLine + lines.length) break
    lines.push(output.slice(at + found[0].length, end))
    at = end + 1
  }
  const rest = output.slice(at).trim()
  // A single line that starts with a number may be just that.
  if (lines.length === 1 && (rest !== '' || firstLine !== 1)) {
    return {text: output, firstLine: undefined, rest: ''}
  }
  return {text: lines.join('\n'), firstLine, rest}
}
