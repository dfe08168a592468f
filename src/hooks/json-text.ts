/** The position of a value in a JSON text. */
export interface JsonNode {
  start: number
  /** Exclusive. */
  end: number
  /** Values of a list, or of an object with their names, in order. */
  entries: JsonEntry[]
  kind: 'object' | 'list' | 'other'
}

/** A value in a list or an object, with its name if it has one. */
interface JsonEntry {
  start: number
  name?: string
  value: JsonNode
}

/** Finds the positions of all values in a valid JSON text. */
export function locate(json: string): JsonNode {
  let at = 0
  return readValue()

  function readValue(): JsonNode {
    skip(SPACE)
    const start = at
    const first = json[at]
    if (first === '{' || first === '[') return readEntries(start, first === '{' ? 'object' : 'list')
    if (first === '"') skip(STRING)
    else skip(SCALAR)
    return {start, end: at, entries: [], kind: 'other'}
  }

  function readEntries(start: number, kind: 'object' | 'list'): JsonNode {
    const entries: JsonEntry[] = []
    at++
    for (skip(SPACE); !isClosing(json[at]); skip(BETWEEN)) entries.push(readEntry(kind))
    at++
    return {start, end: at, entries, kind}
  }

  function readEntry(kind: 'object' | 'list'): JsonEntry {
    const start = at
    if (kind === 'list') return {start, value: readValue()}
    skip(STRING)
    const name = JSON.parse(json.slice(start, at)) as string
    skip(COLON)
    return {start, name, value: readValue()}
  }

  function skip(pattern: RegExp): void {
    pattern.lastIndex = at
    if (pattern.test(json)) at = pattern.lastIndex
  }
}

const SPACE = /[ \t\r\n]*/y
const COLON = /[ \t\r\n]*:/y
const BETWEEN = /[ \t\r\n]*,?[ \t\r\n]*/y
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y
const SCALAR = /[^ \t\r\n,\]}]+/y

/** Ends at the end of the text, too, so that truncated JSON causes no endless loop. */
function isClosing(character: string | undefined): boolean {
  return character === '}' || character === ']' || character === undefined
}

/** The value of a name in an object; the last one of duplicates, as in `JSON.parse`. */
export function valueOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return node?.entries.findLast((entry) => entry.name === name)?.value
}

/** Appends an entry to a list or an object, in the style of the text. */
export function insertEntry(
  json: string,
  node: JsonNode,
  name: string | null,
  value: unknown,
): string {
  const style = styleOf(json)
  const inside = json.slice(node.start, node.end)
  const last = node.entries.at(-1)
  const isFlat = style.unit === undefined || (last !== undefined && !inside.includes('\n'))
  const label = name === null ? '' : `${JSON.stringify(name)}:${style.isDense ? '' : ' '}`
  if (isFlat) {
    const entry = `${label}${JSON.stringify(value)}`
    if (last === undefined) return replace(json, node.start + 1, node.end - 1, entry)
    return replace(json, last.value.end, last.value.end, `,${style.isDense ? '' : ' '}${entry}`)
  }
  const {unit = '', newline} = style
  const outer = indentAt(json, node.start)
  const indent = last === undefined ? outer + unit : indentAt(json, last.start)
  const block = JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`)
  const entry = `${newline}${indent}${label}${block}`
  if (last !== undefined) return replace(json, last.value.end, last.value.end, `,${entry}`)
  return replace(json, node.start + 1, node.end - 1, `${entry}${newline}${outer}`)
}

/** Removes an entry and its comma from a list or an object. */
export function removeEntry(json: string, node: JsonNode, index: number): string {
  const entry = node.entries[index]
  const before = node.entries[index - 1]
  const after = node.entries[index + 1]
  if (entry === undefined) return json
  if (after !== undefined) return replace(json, entry.start, after.start, '')
  if (before !== undefined) return replace(json, before.value.end, entry.value.end, '')
  return replace(json, node.start + 1, node.end - 1, '')
}

function replace(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

/** Detects the indent, line break and spacing of a JSON text. */
function styleOf(json: string): {unit: string | undefined; newline: string; isDense: boolean} {
  const newline = json.includes('\r\n') ? '\r\n' : '\n'
  const root = locate(json)
  const [first] = root.entries
  // An empty object has no style of its own.
  if (first === undefined) return {unit: '  ', newline, isDense: false}
  const lead = json.slice(root.start, first.start)
  const isDense = !/^"[^"\\]*(?:\\.[^"\\]*)*"\s*:\s/.test(json.slice(first.start))
  if (!lead.includes('\n')) return {unit: undefined, newline, isDense}
  return {unit: indentAt(json, first.start) || '  ', newline, isDense}
}

function indentAt(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}
