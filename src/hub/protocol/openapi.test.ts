import {expect, test} from 'vitest'
import {isRecord} from '../../core/wire/json.ts'
import {createOpenApi} from './openapi.ts'
import {ROUTES} from './routes.ts'

const api = createOpenApi('1.2.3')
const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
  ([, path = '']) => path,
)

test('describes every route with its right', () => {
  const rights = ROUTES.map(({method, path}) => {
    const {security} = api.paths[path]?.[method.toLowerCase()] ?? {}
    return security?.map(({bearer}) => bearer?.[0])[0] ?? null
  })
  expect(rights).toEqual(ROUTES.map(({right}) => right))
  const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods))
  expect(operations).toHaveLength(ROUTES.length)
})

test('describes a parameter by its type, default and limits', () => {
  expect(api.paths['/api/runs/{runId}/events']?.['get']?.parameters).toMatchObject([
    {name: 'runId', in: 'path', required: true},
    {name: 'since', in: 'query', schema: {type: 'integer', minimum: 0, default: 0}},
    {name: 'limit', in: 'query', schema: {type: 'integer', minimum: 1, default: 500}},
    {name: 'types', in: 'query', schema: {type: 'string'}},
    {name: 'includeThinking', in: 'query', schema: {type: 'boolean', default: false}},
  ])
})

test('describes the errors of every route', () => {
  for (const path of Object.values(api.paths)) {
    const [operation] = Object.values(path)
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['421', '429']))
  }
})

test('resolves every reference and uses every schema', () => {
  const known = references.filter((path) => {
    const found = path
      .split('/')
      .reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), api)
    return isRecord(found)
  })
  expect(references.length).toBeGreaterThan(50)
  expect(known).toEqual(references)
  const schemas = Object.keys(api.components.schemas).map((name) => `components/schemas/${name}`)
  expect(schemas.filter((name) => !references.includes(name))).toEqual([])
})

test('contains only keywords of JSON Schema that readers expect', () => {
  const keys = [...JSON.stringify(api.components.schemas).matchAll(/"(\$?\w+)":/g)]
  const odd = new Set(
    keys.map(([, key = '']) => key).filter((key) => /^\$|propertyNames/.test(key)),
  )
  expect([...odd]).toEqual(['$ref'])
})

test('contains the version of the program', () => {
  expect(api.info.version).toBe('1.2.3')
})
