/** A JSON Schema, as far as the hub needs one to tell what it says. */
export interface Schema {
  $ref?: string | undefined
  description?: string | undefined
  type?: SchemaType | readonly SchemaType[] | undefined
  const?: string | undefined
  enum?: readonly string[] | undefined
  format?: string | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  maxLength?: number | undefined
  default?: number | string | boolean | undefined
  items?: Schema | undefined
  oneOf?: readonly Schema[] | undefined
  discriminator?: {propertyName: string} | undefined
  required?: readonly string[] | undefined
  properties?: Readonly<Record<string, Schema>> | undefined
  /** What fields may hold that are not named; a schema with fields and without this may still get new ones. */
  additionalProperties?: Schema | undefined
}

/** What a value is. */
export type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array'

type OptionalKey<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never
}[keyof T]

/** A schema for each field of a type: those that are always there, and those that may be missing. */
export interface Fields<T> {
  always: Readonly<Record<Exclude<keyof T, OptionalKey<T>>, Schema>>
  maybe: Readonly<Record<OptionalKey<T>, Schema>>
}

/** A text. */
export function text(description?: string): Schema {
  return {type: 'string', description}
}

/** One of some words. */
export function word(words: readonly string[], description?: string): Schema {
  return {type: 'string', enum: words, description}
}

/** A whole number from 0 on. */
export function count(description?: string): Schema {
  return {type: 'integer', minimum: 0, description}
}

/** Any number. */
export function number(description?: string): Schema {
  return {type: 'number', description}
}

/** Yes or no. */
export function flag(description?: string): Schema {
  return {type: 'boolean', description}
}

/** The same, or `null`. */
export function orNull(schema: Schema & {type: SchemaType}): Schema {
  return {...schema, type: [schema.type, 'null']}
}

/** A list. */
export function list(items: Schema, description?: string): Schema {
  return {type: 'array', items, description}
}

/** An object with any names for values of one kind. */
export function table(additionalProperties: Schema, description?: string): Schema {
  return {type: 'object', additionalProperties, description}
}

/** An object with the fields of a type, all of them: the compiler sees to that. */
export function object<T>({always, maybe}: Fields<T>, description?: string): Schema {
  const properties: Record<string, Schema> = {...always, ...maybe}
  return {type: 'object', description, required: Object.keys(always), properties}
}

/** The schema of a name. */
export function named(name: string): Schema {
  return {$ref: `#/components/schemas/${name}`}
}

/** The schema of a name, or `null`. */
export function namedOrNull(name: string, description?: string): Schema {
  return {description, oneOf: [named(name), {type: 'null'}]}
}

/** One of several, told apart by `type`. */
export function union(names: readonly string[], description: string): Schema {
  return {description, oneOf: names.map(named), discriminator: {propertyName: 'type'}}
}
