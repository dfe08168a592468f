/** A string in the text of a JSON value. */
export interface JsonString {
  /** Its range in the text, quotes included. */
  from: number
  to: number
  /** Its decoded value. */
  value: string
  /** The last field names of its path; items of an array have the name of the array. */
  path: readonly string[]
  /** Whether it is a field name. */
  isName: boolean
  /** The previous item of its array, if that is a string. */
  before: string
}

interface Level {
  isList: boolean
  name: string
  /** Whether a field name is next. */
  isNameNext: boolean
  before: string
}

const TOKEN = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|"(?:[^"\\]|\\[^])*\\?$/g

/** How many names of a path are kept. */
const MAX_PATH = 8

/** Finds all strings in JSON text, in order. The text may be truncated anywhere. */
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

/** Replaces some strings of a JSON text; everything else stays the same, byte for byte. */
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
