/** A string in the text of a JSON value. */
export interface JsonString {
  /** Where it is in the text, its quotes included. */
  from: number
  to: number
  /** What it says, its escapes resolved. */
  value: string
  /** The last names that lead to it. The last one is that of its field; items of a list have the name of the list. */
  path: readonly string[]
  /** Whether it is the name of a field itself. */
  isName: boolean
  /** The item before it in its list, if that is a string. */
  before: string
}

interface Level {
  isList: boolean
  name: string
  /** Whether a name comes next. */
  isNameNext: boolean
  before: string
}

const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|"(?:[^"\\]|\\[^])*\\?$/g

/** Deeper paths lose their beginning. */
const MAX_PATH = 8

/** Finds all strings in the text of a JSON value, in order. The text may be cut off anywhere. */
export function findJsonStrings(text: string): JsonString[] {
  const strings: JsonString[] = []
  const levels: Level[] = []
  for (const {0: token, index} of text.matchAll(TOKEN)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({isList: token === '[', name: '', isNameNext: token === '{', before: ''})
    } else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (level?.isList === false) level.isNameNext = true
    } else if (token !== ':') {
      const value = decodeString(token)
      const isName = level?.isNameNext === true
      if (isName) {
        level.name = value
        level.isNameNext = false
      }
      const path = levels.slice(-MAX_PATH).flatMap(({name}) => (name === '' ? [] : [name]))
      const before = level?.isList === true ? level.before : ''
      strings.push({from: index, to: index + token.length, value, path, isName, before})
      if (level !== undefined) level.before = value
    }
  }
  return strings
}

/** The text with other strings in place of some of its own; the rest stays as it is, to the byte. */
export function replaceJsonStrings(
  text: string,
  strings: readonly JsonString[],
  replace: (string: JsonString, index: number) => string,
): string {
  let replaced = ''
  let done = 0
  for (const [index, string] of strings.entries()) {
    const value = replace(string, index)
    if (value === string.value) continue
    replaced += text.slice(done, string.from) + JSON.stringify(value)
    done = string.to
  }
  return done === 0 ? text : replaced + text.slice(done)
}

function decodeString(token: string): string {
  if (!token.includes('\\'))
    return token.endsWith('"') && token.length > 1 ? token.slice(1, -1) : token.slice(1)
  for (const text of [token, `${token.replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')}"`]) {
    try {
      return String(JSON.parse(text))
    } catch {}
  }
  return token.slice(1)
}
