import * as z from 'zod'
import {errorAnswer} from './answers.ts'
import {named} from './fields.ts'
import {ROUTES, type Route} from './routes.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Creates the OpenAPI description of the hub. */
export function createOpenApi(version: string) {
  const {schemas} = z.toJSONSchema(named, {...OPTIONS, uri: refTo})
  for (const schema of Object.values(schemas)) {
    delete schema.$schema
    delete schema.$id
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine hub',
      version,
      description:
        'Live and recorded runs of coding agents. Clients must ignore unknown fields: later versions may add some.',
      license: {name: 'MIT', identifier: 'MIT'},
    },
    paths: describePaths(),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in `<data-dir>/token`, or one of `vitrine token`.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'vitrine-4310',
          description:
            'Session cookie set by a login link; its name ends with the port of the hub.',
        },
      },
      responses: {Error: {description: 'The error.', content: toContent(errorAnswer)}},
      schemas,
    },
  }
}

const OPTIONS = {
  io: 'input',
  unrepresentable: 'any',
  override({zodSchema, jsonSchema}) {
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    delete jsonSchema.propertyNames
    delete jsonSchema.readOnly
    const [value] = jsonSchema.anyOf ?? []
    if (zodSchema instanceof z.ZodNullable && typeof value?.type === 'string') {
      delete jsonSchema.anyOf
      Object.assign(jsonSchema, value, {type: [value.type, 'null']})
    }
    if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue
    if (zodSchema instanceof z.ZodDiscriminatedUnion)
      jsonSchema['discriminator'] = {propertyName: zodSchema.def.discriminator}
  },
} satisfies z.core.ToJSONSchemaParams

function describePaths() {
  const paths: Record<string, Record<string, ReturnType<typeof describeRoute>>> = {}
  for (const route of ROUTES) {
    const methods = (paths[route.path] ??= {})
    methods[route.method.toLowerCase()] = describeRoute(route)
  }
  return paths
}

function describeRoute(route: Route) {
  const {path, right, summary, query, headers, hasBody, answers, messages} = route
  const errors = [...(route.errors ?? []), ...(right === null ? [] : [401, 403]), 421, 429]
  return {
    summary,
    security: right === null ? [] : [{bearer: [right]}, {cookie: [right]}],
    parameters: [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
        return {name, in: 'path', required: true, schema: {type: 'string'}}
      }),
      ...listParameters('query', query),
      ...listParameters('header', headers),
    ],
    ...(hasBody && {requestBody: {required: true, content: toContent(z.looseObject({}))}}),
    responses: {
      ...Object.fromEntries(
        errors.map((status) => [status, {$ref: '#/components/responses/Error'}]),
      ),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          answer instanceof z.ZodType
            ? {description: named.get(answer)?.id ?? summary, content: toContent(answer)}
            : answer,
        ]),
      ),
    },
    ...(messages && {
      'x-websocket': {receives: toSchema(messages.receives), sends: toSchema(messages.sends)},
    }),
  }
}

function listParameters(place: 'query' | 'header', schema: z.ZodObject = z.object({})) {
  return Object.entries(toSchema(schema).properties ?? {}).map(([name, given]) => {
    const {description, ...rest} = given as JsonSchema
    return {name, in: place, description, schema: rest}
  })
}

function toContent(schema: z.ZodType): object {
  return {'application/json': {schema: toSchema(schema)}}
}

function toSchema(schema: z.ZodType): JsonSchema {
  const id = named.get(schema)?.id
  if (id !== undefined) return {$ref: refTo(id)}
  const inline = z.toJSONSchema(schema, OPTIONS)
  delete inline.$schema
  return inline
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`
}
