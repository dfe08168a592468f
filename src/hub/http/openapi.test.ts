import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {MESSAGE_TOOLS} from '../../core/protocol/server-message.ts'
import {VERDICTS} from '../../core/run/verdict.ts'
import {WAITING_KINDS} from '../../core/run/waiting.ts'
import {isRecord} from '../../core/wire/json.ts'
import {openApi} from './openapi.ts'
import {OPEN_ROUTES, ROUTES} from './routes.ts'
import type {Schema} from './schema.ts'

interface Operation {
  security: Record<string, string[]>[]
  parameters?: {name: string; in: string}[]
  responses: Record<string, object>
}

interface Document {
  info: {version: string}
  paths: Record<string, Record<string, Operation>>
  components: {schemas: Record<string, Schema>}
}

const api = openApi('1.2.3') as Document
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
)
/** WebSocket upgrades do not reach the router. */
const SOCKETS = {'GET /ws': 'view', 'GET /ingest': 'ingest'}

describe('the paths', () => {
  test('match the router, with the rights that it requires', () => {
    const guarded = ROUTES.map(({method, path, right}) => {
      return [`${method} ${path}`, right]
    })
    const open = OPEN_ROUTES.map((route) => [route, 'nothing'])
    const described = operations.map(({name, operation}) => [name, rightOf(operation)])
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries([...guarded, ...open, ...Object.entries(SOCKETS)]),
    )
  })

  test('declare their path parameters', () => {
    for (const {path, operation} of operations) {
      const declared = (operation.parameters ?? []).filter((given) => given.in === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(declared.map(({name}) => name)).toEqual(names)
    }
  })

  test('can all be refused because of the host or the rate limit', () => {
    for (const {operation} of operations) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['421', '429']))
    }
  })
})

test('resolves every reference', () => {
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(50)
  for (const [, path = ''] of references) {
    expect([path, typeof lookUp(api, path.split('/'))]).toEqual([path, 'object'])
  }
})

test('uses every schema', () => {
  const text = JSON.stringify(api)
  const unused = Object.keys(api.components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  )
  // Messages of a WebSocket belong to no path.
  expect(unused).toEqual(['ServerMessage', 'ClientMessage'])
})

describe('the messages', () => {
  test.each([
    ['ServerMessage', 'protocol/server-message.ts'],
    ['ClientMessage', 'protocol/client-message.ts'],
  ])('include every type of %s in the code', (union, file) => {
    const {oneOf = []} = api.components.schemas[union] ?? {}
    const names = oneOf.map(({$ref = ''}) => $ref.split('/').at(-1) ?? '')
    expect(names.toSorted()).toEqual(typesIn(readCore(file)).toSorted())
    for (const name of names) {
      expect(api.components.schemas[name]?.properties?.['type']).toEqual({const: name})
    }
  })

  test.each([
    ['ErrorCode', 'protocol/server-message.ts', () => fieldOf('error', 'code')],
    ['FileAction', 'events/events.ts', () => fieldOf('file_changed', 'action')],
    ['PlanStatus', 'events/events.ts', () => fieldOf('PlanItem', 'status')],
  ])('include every %s', (union, file, find) => {
    expect(find()?.enum?.toSorted()).toEqual(wordsOf(readCore(file), union).toSorted())
  })

  test('know every tool, verdict and waiting kind', () => {
    const tools = fieldOf('agent_tool_call', 'tool')?.enum
    expect(tools?.toSorted()).toEqual([...MESSAGE_TOOLS, 'Other'].toSorted())
    expect(fieldOf('run_ended', 'verdict')?.enum).toEqual(VERDICTS)
    expect(fieldOf('Waiting', 'why')?.enum).toEqual(WAITING_KINDS)
  })
})

test('contains the version of the program', () => {
  expect(api.info.version).toBe('1.2.3')
})

function rightOf({security}: Operation): string {
  const rights = new Set(security.flatMap((scheme) => Object.values(scheme).flat()))
  return [...rights].join(' ') || 'nothing'
}

function lookUp(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)
}

function fieldOf(schema: string, field: string): Schema | undefined {
  return api.components.schemas[schema]?.properties?.[field]
}

function readCore(file: string): string {
  return readFileSync(new URL(`../../core/${file}`, import.meta.url), 'utf8')
}

/** The `type` of every message that a source file declares. */
function typesIn(source: string): string[] {
  return [...source.matchAll(/^ {2}type: '(\w+)'$/gm)].map(([, type = '']) => type)
}

/** The members of a union of string literals. */
function wordsOf(source: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export type ${name} =([^]*?)\n\n`).exec(source) ?? []
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
}
