import {isRecord, type JsonObject} from './json.ts'

/**
 * The kinds of records an agent prints and their fields, for telling what is new. A field is a word; `a{b c}`
 * gives the fields of the object or of the list of objects in `a`; `a@block` says that those are told apart by
 * their `type`, with a shape `block@text` for each. Other objects may hold anything.
 */
export type Shapes = ReadonlyMap<string, Shape>

/** The fields of an object: what is known of each. */
export interface Shape {
  fields: ReadonlyMap<string, Field>
}

type Field = undefined | Shape | {union: string}

/** What a record holds that its shape does not know. */
export interface Novelty {
  kind: 'type' | 'subtype' | 'block' | 'field'
  name: string
}

/**
 * Reads the notation of {@link Shapes}.
 *
 * @example
 * ```ts
 * defineShapes({'turn.completed': 'type usage{input_tokens output_tokens}'})
 * ```
 */
export function defineShapes(table: Readonly<Record<string, string>>): Shapes {
  return new Map(Object.entries(table).map(([kind, notation]) => [kind, readShape(notation)]))
}

/** Blocks can hold blocks; what is deeper than any real one is let be. */
const DEEPEST = 16

/** Makes a function that says what is new in a record of a kind. */
export function createNoveltyFinder(
  shapes: Shapes,
  found: (novelty: Novelty) => void,
): (kind: string, record: JsonObject) => void {
  return (kind, record) => {
    const shape = shapes.get(kind)
    if (shape === undefined) found({kind: kind.includes('/') ? 'subtype' : 'type', name: kind})
    else walkObject(record, shape, kind, 0)
  }

  function walkObject(value: JsonObject, {fields}: Shape, path: string, depth: number): void {
    for (const name in value) {
      const field = fields.get(name)
      if (field !== undefined) walkField(value[name], field, path, name, depth)
      else if (!fields.has(name)) found({kind: 'field', name: `${path}.${name}`})
    }
  }

  function walkField(
    value: unknown,
    field: NonNullable<Field>,
    path: string,
    name: string,
    depth: number,
  ): void {
    if (typeof value !== 'object' || depth >= DEEPEST) return
    if (Array.isArray(value)) {
      for (const item of value) walkField(item, field, path, name, depth + 1)
    } else if (isRecord(value)) {
      if ('union' in field) walkUnion(value, field.union, path, depth + 1)
      else walkObject(value, field, `${path}.${name}`, depth + 1)
    }
  }

  function walkUnion(value: JsonObject, union: string, path: string, depth: number): void {
    const {type} = value
    const member = typeof type === 'string' ? shapes.get(`${union}@${type}`) : undefined
    const name = `${path}/${typeof type === 'string' ? type : '(no type)'}`
    if (member === undefined) found({kind: 'block', name})
    else walkObject(value, member, name, depth)
  }
}

function readShape(notation: string): Shape {
  const words = notation.match(/[^\s{}]+|[{}]/g) ?? []
  let index = 0
  return readFields()

  function readFields(): Shape {
    const fields = new Map<string, Field>()
    for (; index < words.length && words[index] !== '}'; index++) {
      const [name = '', union] = (words[index] ?? '').split('@')
      if (words[index + 1] === '{') {
        index += 2
        fields.set(name, readFields())
      } else fields.set(name, union === undefined ? undefined : {union})
    }
    return {fields}
  }
}
