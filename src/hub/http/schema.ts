/** A JSON Schema, as far as the hub needs one. */
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
  /** The schema of unnamed fields; without it, unknown fields are allowed. */
  additionalProperties?: Schema | undefined
}

/** The type of a value. */
export type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' | 'array'

type OptionalKey<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never
}[keyof T]

/** A schema for each field of a type: required and optional ones. */
export interface Fields<T> {
  always: Readonly<Record<Exclude<keyof T, OptionalKey<T>>, Schema>>
  maybe: Readonly<Record<OptionalKey<T>, Schema>>
}

/** A string. */
export function text(description?: string): Schema {
  return {type: 'string', description}
}

/** One of some strings. */
export function word(words: readonly string[], description?: string): Schema {
  return {type: 'string', enum: words, description}
}

/** An integer of 0 or more. */
export function count(description?: string): Schema {
  return {type: 'integer', minimum: 0, description}
}

/** Any number. */
export function number(description?: string): Schema {
  return {type: 'number', description}
}

/** A boolean. */
export function flag(description?: string): Schema {
  return {type: 'boolean', description}
}

/** The same, or `null`. */
export function orNull(schema: Schema & {type: SchemaType}): Schema {
  return {...schema, type: [schema.type, 'null']}
}

/** An array. */
export function list(items: Schema, description?: string): Schema {
  return {type: 'array', items, description}
}

/** An object with any keys and values of one type. */
export function table(additionalProperties: Schema, description?: string): Schema {
  return {type: 'object', additionalProperties, description}
}

/** An object with all fields of a type, checked by the compiler. */
export function object<T>({always, maybe}: Fields<T>, description?: string): Schema {
  const properties: Record<string, Schema> = {...always, ...maybe}
  return {type: 'object', description, required: Object.keys(always), properties}
}

/** A reference to a named schema. */
export function named(name: string): Schema {
  return {$ref: `#/components/schemas/${name}`}
}

/** A reference to a named schema, or `null`. */
export function namedOrNull(name: string, description?: string): Schema {
  return {description, oneOf: [named(name), {type: 'null'}]}
}

/** One of several schemas, distinguished by `type`. */
export function union(names: readonly string[], description: string): Schema {
  return {description, oneOf: names.map(named), discriminator: {propertyName: 'type'}}
}
