import {isRecord, type JsonObject} from '../../src/core/wire/json.ts'
import type {OpenSource} from '../../src/history/source.ts'

/** A line of a transcript, or a record that is not on a line. */
export interface Line {
  raw: string
  /** `undefined` if the text is not a JSON object. */
  value: JsonObject | undefined
}

/** Where and how to damage a transcript. The numbers can be larger than what they select from. */
export interface Place {
  /** The line. */
  at: number
  /** The character or value in the line. */
  inLine: number
  /** The new value. */
  choice: number
}

/** Damages a transcript at one place. */
export type Damage = (lines: readonly Line[], place: Place) => Line[]

/** Damage to lines, which adds no request. */
export const LINE_DAMAGE: Readonly<Record<string, Damage>> = {
  dropped: (lines, {at}) => lines.toSpliced(at, 1),
  doubled: (lines, {at}) => lines.toSpliced(at, 0, lineAt(lines, at)),
  swapped: (lines, {at}) => lines.toSpliced(at, 2, ...lines.slice(at, at + 2).toReversed()),
  cut: (lines, place) => change(lines, place, (raw) => cut(raw, place)),
  truncated: (lines, place) => [
    ...lines.slice(0, place.at),
    toLine(cut(lineAt(lines, place.at).raw, place)),
  ],
}

/** Damage to the values in a line. */
export const VALUE_DAMAGE: Readonly<Record<string, Damage>> = {
  'with a wrong type': (lines, place) => change(lines, place, (raw) => retype(raw, place)),
  'with wrong types': (lines, place) =>
    change(lines, place, (raw) => raw.replaceAll(VALUE, `:${newValue(place)}$1`)),
  'with another kind': (lines, place) =>
    change(lines, place, (raw) => raw.replace(/"(?:type|role)":"[^"]*"/, '"type":"novel"')),
  replaced: (lines, place) => change(lines, place, () => newValue(place)),
}

/** Parses a line. */
export function toLine(raw: string): Line {
  try {
    const value: unknown = JSON.parse(raw)
    return {raw, value: isRecord(value) ? value : undefined}
  } catch {
    return {raw, value: undefined}
  }
}

/** A source whose document or database is damaged. */
export function damageSource(source: OpenSource, place: Place): OpenSource {
  return {
    ...source,
    readText(path) {
      const text = source.readText(path)
      if (text === undefined || path !== source.path) return text
      return place.at % 2 === 0 ? cut(text, place) : retype(text, place)
    },
    query: (sql, ...values) => damageRows(source.query(sql, ...values), place),
  }
}

type Row = Record<string, string | number | null>

function damageRows(rows: Row[], place: Place): Row[] {
  const index = place.at % Math.max(1, rows.length)
  const row = rows[index]
  if (row === undefined) return rows
  if (place.choice % 4 === 0) return rows.toSpliced(index, 1)
  const names = Object.keys(row)
  const name = names[place.inLine % names.length] ?? ''
  const before = row[name]
  const values = [
    null,
    -7,
    'x',
    '',
    '{"type":7}',
    typeof before === 'string' ? cut(before, place) : 0.5,
  ]
  return rows.with(index, {...row, [name]: values[place.choice % values.length] ?? null})
}

/** A field with a text, a number or a word, up to the next separator. */
const VALUE = /:(?:"(?:[^"\\]|\\.)*"|-?[\d.]+|true|false|null)([,}\]])/g

const VALUES = [
  'null',
  '-7',
  '0.5',
  '1e999',
  '9e15',
  '"12"',
  '""',
  'true',
  '[]',
  '{}',
  '["a",null,{}]',
  '[[1]]',
  '{"type":"text","text":7}',
  '{"length":-1}',
]

function change(lines: readonly Line[], {at}: Place, edit: (raw: string) => string): Line[] {
  return lines.with(at, toLine(edit(lineAt(lines, at).raw)))
}

function lineAt(lines: readonly Line[], at: number): Line {
  return lines[at] ?? {raw: '', value: undefined}
}

function cut(text: string, {inLine}: Place): string {
  return text.slice(0, inLine % Math.max(1, text.length))
}

function retype(text: string, place: Place): string {
  const values = [...text.matchAll(VALUE)]
  const found = values[place.inLine % Math.max(1, values.length)]
  if (found === undefined) return text
  const end = found.index + found[0].length - 1
  return `${text.slice(0, found.index)}:${newValue(place)}${text.slice(end)}`
}

function newValue({choice}: Place): string {
  return VALUES[choice % VALUES.length] ?? 'null'
}
