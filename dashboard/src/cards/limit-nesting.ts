/** Markdown marks that a parser handles recursively. */
const MOST_MARKS = 10
const MOST_INDENT = 40

/**
 * Limits the nesting of Markdown: marks of quotes and lists beyond the tenth level become text, and lines are
 * indented by at most 40 columns.
 */
export function limitNesting(text: string): string {
  if (!DEEP.test(text)) return text
  return text
    .split('\n')
    .map((line) => limitLine(line))
    .join('\n')
}

/** Only a line that starts with this many marks or spaces can be too deep. */
const DEEP = /^[\s\d>+*.)-]{20}/m

const MARK = /(\s*)(>|[-+*](?=\s|$)|\d{1,9}[.)](?=\s|$))/y

function limitLine(line: string): string {
  let count = 0
  let at = 0
  let head = ''
  while (count <= MOST_MARKS) {
    MARK.lastIndex = at
    const found = MARK.exec(line)
    if (found === null) break
    const [, room = '', mark = ''] = found
    head += room.slice(0, MOST_INDENT)
    at += room.length
    count++
    if (count > MOST_MARKS) {
      // A backslash before the mark itself, which for `12.` is its last character.
      return `${head}${mark.slice(0, -1)}\\${line.slice(at + mark.length - 1)}`
    }
    head += mark
    at += mark.length
  }
  const rest = line.slice(at)
  const indent = rest.length - rest.trimStart().length
  return head + (indent > MOST_INDENT ? rest.slice(indent - MOST_INDENT) : rest)
}
