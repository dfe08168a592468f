import {execFile} from 'node:child_process'
import {rmSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Schema} from '../../src/hub/http/schema.ts'
import {startHub, type Client, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

interface Operation {
  responses: Record<string, {$ref?: string; content?: Record<string, {schema?: Schema}>}>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {schemas: Record<string, Schema>}
}

const place = createPlace()
let hub: RunningHub
let api: Document
let client: Client

beforeAll(async () => {
  hub = await startHub(place)
  api = (await (await fetch(`${hub.url}/api/openapi.json`)).json()) as Document
  client = await hub.connect()
  client.send({type: 'subscribe'})
  client.send({type: 'subscribe', runId: 'happy', since: 0, ref: 'one'})
  const work = ['--format', 'quiet', '--work-order', 'wo-12']
  await place.runFake('happy', ['--id', 'happy', ...work])
  await place.runFake('turns', ['--id', 'turns', ...work], {env: {TURNS: '3', MS: '10'}})
  const asking = place.startFake('asks', ['--id', 'asks', '--permissions', 'ask', ...work], {
    agentArgs: ['-p', 'Touch a file'],
  })
  const {requestId} = await client.receives(({type}) => type === 'permission_request')
  // The supervisor of the run may connect to the hub after the request was published.
  const answer = {type: 'answer_permission', runId: 'asks', requestId, allow: false}
  for (let tries = 1, isAnswered = false; !isAnswered; tries++) {
    client.send({...answer, ref: `try ${tries}`})
    const reply = await client.receives(({type, runId, ref}) => {
      return ref === `try ${tries}` || (runId === 'asks' && type === 'agent_tool_result')
    })
    isAnswered = reply.type === 'agent_tool_result'
  }
  await asking.ended
  await client.receives(({type, runId}) => type === 'run_ended' && runId === 'asks')
  await until(async () => (await hub.json('/api/stats'))['liveRuns'] === 0)
})
afterAll(async () => {
  client.close()
  await hub.stop()
  await until(() => place.survivors().length === 0)
  place.clear()
})

describe('the OpenAPI description', () => {
  test.each([
    ['/api/runs', '/api/runs', 200],
    ['/api/runs', '/api/runs?limit=1&workOrderId=wo-12', 200],
    ['/api/runs', '/api/runs?limit=none', 400],
    ['/api/runs/{runId}', '/api/runs/happy', 200],
    ['/api/runs/{runId}', '/api/runs/asks', 200],
    ['/api/runs/{runId}', '/api/runs/nobody', 404],
    ['/api/runs/{runId}/events', '/api/runs/asks/events', 200],
    ['/api/runs/{runId}/events', '/api/runs/happy/events?since=2&limit=1', 200],
    ['/api/runs/{runId}/tools', '/api/runs/turns/tools', 200],
    ['/api/runs/{runId}/files', '/api/runs/happy/files', 200],
    ['/api/runs/{runId}/raw', '/api/runs/happy/raw?file=other', 400],
    ['/api/search', '/api/search?q=echo&limit=1', 200],
    ['/api/search', '/api/search?q=nothing-like-it', 200],
    ['/api/stats', '/api/stats', 200],
    ['/healthz', '/healthz', 200],
  ])('matches the response of %s to %s', async (path, url, status) => {
    const response = await hub.get(url)
    expect(response.status).toBe(status)
    expect(await flawsOfAnswer(path, 'get', response)).toEqual([])
  })

  test('matches the response with a login link', async () => {
    const headers = {authorization: `Bearer ${hub.token}`}
    const response = await fetch(`${hub.url}/api/login-links`, {method: 'POST', headers})
    expect(response.status).toBe(201)
    expect(await flawsOfAnswer('/api/login-links', 'post', response)).toEqual([])
  })

  test('matches the page for a login link that was already used', async () => {
    const response = await hub.get('/login?code=none')
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const described = api.paths['/login']?.['get']?.responses['403']?.content ?? {}
    expect([response.status, type]).toEqual([403, Object.keys(described)[0]])
    expect(await response.text()).toContain('vitrine login')
  })

  test('matches the response to a request without a token', async () => {
    const response = await fetch(`${hub.url}/api/runs`)
    expect(response.status).toBe(401)
    expect(await flawsOfAnswer('/api/runs', 'get', response)).toEqual([])
  })

  test('matches the responses to a range and to an unsatisfiable range', async () => {
    const {responses} = api.paths['/api/runs/{runId}/raw']?.['get'] ?? {responses: {}}
    const part = await hub.get('/api/runs/happy/raw', {range: 'bytes=0-9'})
    const none = await hub.get('/api/runs/happy/raw', {range: 'bytes=9999999-'})
    expect([part.status, (await part.arrayBuffer()).byteLength, none.status]).toEqual([
      206, 10, 416,
    ])
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['206', '416']))
    expect(Object.keys(responses['206']?.content ?? {})).toEqual([part.headers.get('content-type')])
  })

  test('matches the message of each server-sent event', async () => {
    const response = await hub.get('/api/runs/happy/stream')
    const text = await response.text()
    const events = [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.*)$/gm)]
    expect(events.at(0)?.slice(1, 3)).toEqual(['1', 'run_started'])
    expect(events.at(-1)?.[2]).toBe('run_updated')
    for (const [, id, type, data = ''] of events) {
      const message = JSON.parse(data) as ReceivedMessage
      expect([message.seq, message.type]).toEqual([Number(id), type])
      expect(findFlaws(message, named('RunMessage'))).toEqual([])
    }
    const after = await hub.get(`/api/runs/happy/stream?since=${events.at(-1)?.[1]}`)
    expect(after.status).toBe(204)
  })
})

test('the messages of a hub over a WebSocket match their description', async () => {
  rmSync(place.dirOf('turns'), {recursive: true})
  await client.receives(({type}) => type === 'run_removed')
  client.send('no JSON')
  client.send({type: 'ping'})
  client.send({type: 'unsubscribe', ref: 'end'})
  await client.receives(({ref}) => ref === 'end')
  for (const message of client.received) {
    expect([message, findFlaws(message, named('ServerMessage'))]).toEqual([message, []])
  }
  const types = new Set(client.received.map(({type}) => type))
  // These need a slow client, a changed file and an agent that thinks.
  const missing = refsOf(named('ServerMessage')).filter((type) => !types.has(type))
  expect(missing.toSorted()).toEqual(['agent_thinking', 'file_changed', 'gap'])
})

test('the example client prints a run from its first message to its last', async () => {
  const {stdout} = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('../../examples/follow-run.js', import.meta.url)), hub.url, 'happy'],
    {env: {VITRINE_TOKEN: hub.token}},
  )
  expect(stdout.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    '1 run_started',
    ...client.received
      .filter(({runId, type}) => runId === 'happy' && /^(?:agent_|file_|run_ended)/.test(type))
      .map(({seq, type}) => `${seq} ${type}`),
    '',
  ])
})

test('a wrong description is detected', () => {
  const {runId: _runId, ...message} = client.received.find(({type}) => type === 'run_started') ?? {}
  expect(findFlaws(message, named('run_started'))).toEqual(['.runId is missing'])
  expect(findFlaws({...message, runId: 7, more: 1}, named('run_started'))).toEqual([
    '.runId is no string',
    '.more is not described',
  ])
  expect(findFlaws({type: 'other'}, named('ServerMessage'))).toEqual([' is none of 16'])
})

async function flawsOfAnswer(path: string, method: string, response: Response): Promise<string[]> {
  const described = api.paths[path]?.[method]?.responses[response.status]
  if (described === undefined) return [`${path}: ${response.status} is not described`]
  const schema =
    described.$ref === undefined
      ? described.content
      : {'application/json': {schema: named('Error')}}
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
  const found = schema?.[type]?.schema
  return found === undefined
    ? [`${type} is not described`]
    : findFlaws(await response.json(), found)
}

function named(name: string): Schema {
  return {$ref: `#/components/schemas/${name}`}
}

function resolve(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (api.components.schemas[name] ?? {type: 'null'})
}

function refsOf(schema: Schema): string[] {
  return (resolve(schema).oneOf ?? []).map(({$ref = ''}) => $ref.split('/').at(-1) ?? '')
}

/** Lists where a value differs from its description; a field without a description is a flaw too. */
function findFlaws(value: unknown, reference: Schema, at = ''): string[] {
  const schema = resolve(reference)
  const {oneOf, properties = {}, required = [], additionalProperties, items} = schema
  if (oneOf !== undefined) {
    const flaws = oneOf.map((option) => findFlaws(value, option, at))
    return flaws.filter((found) => found.length === 0).length === 1
      ? []
      : (flaws.find((found) => !found.some((flaw) => flaw.startsWith(`${at}.type `))) ?? [
          `${at} is none of ${oneOf.length}`,
        ])
  }
  const flaw = findFlaw(value, schema)
  if (flaw !== undefined) return [`${at} ${flaw}`]
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findFlaws(item, items ?? {}, `${at}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) return []
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      const described = properties[name] ?? additionalProperties
      const isFree = schema.type === undefined || schema.properties === undefined
      if (described === undefined && isFree) return []
      if (described === undefined) return [`${at}.${name} is not described`]
      return findFlaws(field, described, `${at}.${name}`)
    }),
  ]
}

function findFlaw(value: unknown, schema: Schema): string | undefined {
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return `is no ${types.join(' or ')}`
  }
  if (schema.const !== undefined && value !== schema.const) return `is not ${schema.const}`
  if (typeof value === 'string') {
    if (schema.enum !== undefined && !schema.enum.includes(value))
      return `is no known word: ${value}`
    if (value.length > (schema.maxLength ?? Infinity)) return 'is too long'
    if (schema.format === 'date-time' && new Date(value).toISOString() !== value)
      return 'is no time'
  }
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity)) return 'is too small'
    if (value > (schema.maximum ?? Infinity)) return 'is too large'
  }
  return undefined
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}
