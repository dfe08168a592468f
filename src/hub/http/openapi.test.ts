import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
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
/** What is upgraded before the router is asked. */
const SOCKETS = {'GET /ws': 'view', 'GET /ingest': 'ingest'}

describe('the paths', () => {
  test('are those of the router, with the rights that it asks for', () => {
    const guarded = ROUTES.map(({method, path, right}) => {
      return [`${method} ${path}`, right]
    })
    const open = OPEN_ROUTES.map((route) => [route, 'nothing'])
    const described = operations.map(({name, operation}) => [name, rightOf(operation)])
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries([...guarded, ...open, ...Object.entries(SOCKETS)]),
    )
  })

  test('declare the names in them', () => {
    for (const {path, operation} of operations) {
      const declared = (operation.parameters ?? []).filter((given) => given.in === 'path')
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(declared.map(({name}) => name)).toEqual(names)
    }
  })

  test('can all be refused for the host and for too many requests', () => {
    for (const {operation} of operations) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['421', '429']))
    }
  })
})

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  expect(references.length).toBeGreaterThan(50)
  for (const [, path = ''] of references) {
    expect([path, typeof lookUp(api, path.split('/'))]).toEqual([path, 'object'])
  }
})

test('every schema is used', () => {
  const text = JSON.stringify(api)
  const unused = Object.keys(api.components.schemas).filter(
    (name) => !text.includes(`"#/components/schemas/${name}"`),
  )
  // What is said over a WebSocket has no path of its own.
  expect(unused).toEqual(['ServerMessage', 'ClientMessage'])
})

describe('the messages', () => {
  test.each([
    ['ServerMessage', 'protocol/server-message.ts'],
    ['ClientMessage', 'protocol/client-message.ts'],
  ])('of %s are those of the code', (union, file) => {
    const {oneOf = []} = api.components.schemas[union] ?? {}
    const names = oneOf.map(({$ref = ''}) => $ref.split('/').at(-1) ?? '')
    expect(names.toSorted()).toEqual(typesIn(readCore(file)).toSorted())
    for (const name of names) {
      expect(api.components.schemas[name]?.properties?.['type']).toEqual({const: name})
    }
  })

  test.each([
    ['ErrorCode', 'protocol/server-message.ts', () => fieldOf('error', 'code')],
    ['MessageTool', 'protocol/server-message.ts', () => fieldOf('agent_tool_call', 'tool')],
    ['FileAction', 'events/events.ts', () => fieldOf('file_changed', 'action')],
    ['VerdictKind', 'run/verdict.ts', () => fieldOf('run_ended', 'verdict')],
    ['WaitingKind', 'run/waiting.ts', () => fieldOf('Waiting', 'why')],
    ['PlanStatus', 'events/events.ts', () => fieldOf('PlanItem', 'status')],
  ])('know every %s', (union, file, find) => {
    expect(find()?.enum?.toSorted()).toEqual(wordsOf(readCore(file), union).toSorted())
  })
})

test('the version is that of the program', () => {
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

/** The `type` of every message that a file describes. */
function typesIn(source: string): string[] {
  return [...source.matchAll(/^ {2}type: '(\w+)'$/gm)].map(([, type = '']) => type)
}

/** The words of a union of words. */
function wordsOf(source: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export type ${name} =([^]*?)\n\n`).exec(source) ?? []
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
}
