import {isRecord, type JsonObject} from '../wire/json.ts'

/**
 * The kinds of records that an agent prints, with their fields: anything else is drift.
 *
 * Notation, with fields separated by white space: `a` is a field with any value; `a{b c}` a field with an object, or a list of
 * objects, that has the fields `b` and `c`; `a@block` a field with an object, or a list of objects, whose `type` selects a
 * shape, such as `block@text` for the type `text`.
 */
export interface Shapes {
  /** Whether records of this kind are known. */
  has(kind: string): boolean
  /** The fields of a kind of record. */
  get(kind: string): Shape | undefined
}

/** The known fields of an object. */
export interface Shape {
  fields: ReadonlyMap<string, Field>
  /**
   * The fields of the last record in order. Records of a kind are alike, and comparing a name with the expected one takes a
   * tenth of the time of a lookup.
   */
  expected: {names: string[]; known: Field[]}
}

/** A field with known fields, with known blocks by their type, or with any value. */
type Field = typeof ANYTHING | {shape: Shape} | {union: string; members: Map<string, Shape>}

const ANYTHING: unique symbol = Symbol('anything')

/** A part of a record that its shape does not contain. */
export interface DriftItem {
  kind: 'type' | 'subtype' | 'block' | 'field'
  name: string
}

/** Fields by kind of record, in the notation of {@link Shapes}, or as a list where names have spaces in them. */
export type ShapeTable = Readonly<Record<string, string | readonly string[]>>

/**
 * Creates shapes from the notation of {@link Shapes}. It is read on first use: most programs see one agent of many.
 *
 * @example
 * ```ts
 * defineShapes({'turn.completed': 'type usage{input_tokens output_tokens}'})
 * ```
 */
export function defineShapes(table: ShapeTable): Shapes {
  let shapes: ReadonlyMap<string, Shape> | undefined
  return {
    has: (kind) => (shapes ??= readTable(table)).has(kind),
    get: (kind) => (shapes ??= readTable(table)).get(kind),
  }
}

/** The same shapes with one more field in every kind of record. */
export function withField(shapes: Shapes, name: string): Shapes {
  const extended = new Map<string, Shape>()
  return {
    has: shapes.has,
    get(kind) {
      const known = extended.get(kind)
      const shape = known ?? shapes.get(kind)
      if (known !== undefined || shape === undefined) return shape
      const added = createShape(new Map([...shape.fields, [name, ANYTHING]]))
      extended.set(kind, added)
      return added
    },
  }
}

/** The kind of a record for agents whose records only differ by `type`. */
export function kindByType({type}: JsonObject): string {
  return typeof type === 'string' ? type : '(no type)'
}

function readTable(table: ShapeTable): ReadonlyMap<string, Shape> {
  const unions = new Map<string, Map<string, Shape>>()
  const shapes = new Map<string, Shape>()
  for (const [name, notation] of Object.entries(table)) {
    const shape =
      typeof notation === 'string'
        ? readShape(notation, membersOf)
        : createShape(new Map(notation.map((field) => [field, ANYTHING])))
    const [union = '', type] = name.split('@')
    if (type === undefined) shapes.set(name, shape)
    else membersOf(union).set(type, shape)
  }
  return shapes

  function membersOf(union: string): Map<string, Shape> {
    const members = unions.get(union) ?? new Map<string, Shape>()
    unions.set(union, members)
    return members
  }
}

function readShape(notation: string, membersOf: (union: string) => Map<string, Shape>): Shape {
  const words = notation.match(/[^\s{}]+|[{}]/g) ?? []
  let index = 0
  return readFields()

  function readFields(): Shape {
    const fields = new Map<string, Field>()
    for (; index < words.length && words[index] !== '}'; index++) {
      const [name = '', union] = (words[index] ?? '').split('@')
      if (words[index + 1] === '{') {
        index += 2
        fields.set(name, {shape: readFields()})
      } else if (union === undefined) fields.set(name, ANYTHING)
      else fields.set(name, {union, members: membersOf(union)})
    }
    return createShape(fields)
  }
}

function createShape(fields: ReadonlyMap<string, Field>): Shape {
  return {fields, expected: {names: [], known: []}}
}

/** Blocks can contain blocks; real ones are not deeper than this. */
const MAX_DEPTH = 16

/** Whether a record has no drift. It runs for every line, so it is optimized for that case. */
export function isKnown(record: JsonObject, shape: Shape, depth = 0): boolean {
  const {names, known} = shape.expected
  let index = 0
  for (const name in record) {
    if (names[index] !== name) {
      const field = shape.fields.get(name)
      if (field === undefined) return false
      names[index] = name
      known[index] = field
    }
    const field = known[index]
    if (field !== ANYTHING && !isKnownValue(record[name], field, depth)) return false
    index++
  }
  return true
}

function isKnownValue(
  value: unknown,
  field: Exclude<Field, typeof ANYTHING> | undefined,
  depth: number,
): boolean {
  if (field === undefined || typeof value !== 'object' || value === null || depth >= MAX_DEPTH)
    return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isKnownValue(item, field, depth + 1)) return false
    return true
  }
  if (!isRecord(value)) return true
  const shape = 'shape' in field ? field.shape : memberOf(value, field.members)
  return shape !== undefined && isKnown(value, shape, depth + 1)
}

function memberOf({type}: JsonObject, members: Map<string, Shape>): Shape | undefined {
  return typeof type === 'string' ? members.get(type) : undefined
}

/** Lists the drift of a record of this kind. */
export function findDrift(shapes: Shapes, kind: string, record: JsonObject): DriftItem[] {
  const found: DriftItem[] = []
  const known = shapes.get(kind)
  if (known === undefined) return [{kind: kind.includes('/') ? 'subtype' : 'type', name: kind}]
  walkObject(record, known, kind, kind, 0)
  return found

  /** `path` is the path of the object; `owner` is the path of its block, without the fields between blocks. */
  function walkObject(
    value: JsonObject,
    shape: Shape,
    path: string,
    owner: string,
    depth: number,
  ): void {
    for (const name in value) {
      const field = shape.fields.get(name)
      if (field === undefined) found.push({kind: 'field', name: `${path}.${name}`})
      else if (field !== ANYTHING) walkValue(value[name], field, `${path}.${name}`, owner, depth)
    }
  }

  function walkValue(
    value: unknown,
    field: Exclude<Field, typeof ANYTHING>,
    path: string,
    owner: string,
    depth: number,
  ): void {
    if (depth >= MAX_DEPTH) return
    if (Array.isArray(value)) {
      for (const item of value) walkValue(item, field, path, owner, depth + 1)
    } else if (isRecord(value)) {
      if ('shape' in field) return walkObject(value, field.shape, path, owner, depth + 1)
      const {type} = value
      const member = memberOf(value, field.members)
      const block = `${owner}/${typeof type === 'string' ? type : '(no type)'}`
      if (member === undefined) found.push({kind: 'block', name: block})
      else walkObject(value, member, block, block, depth + 1)
    }
  }
}
