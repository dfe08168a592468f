import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {deriveToken, type Role} from '../../src/hub/auth/tokens.ts'
import {createOpenApi} from '../../src/hub/protocol/openapi.ts'
import {ROUTES, type Route} from '../../src/hub/protocol/routes.ts'
import {connect, startHub, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

// Every route and every client message, for every role, with valid, missing and wrong fields. The cases are generated
// from the schemas.

const ROLES = ['none', 'view', 'answer', 'ingest'] as const
const RIGHTS = {none: [], view: ['view'], answer: ['view', 'answer'], ingest: ['ingest']} as const
const api = createOpenApi('')
const place = createPlace()
let hub: RunningHub

beforeAll(async () => {
  hub = await startHub(place)
  await place.runFake('happy', ['--id', 'happy', '--format', 'quiet'])
  await until(async () => {
    const {runs, liveRuns, indexing} = await hub.json('/api/stats')
    return runs === 1 && liveRuns === 0 && indexing === 0
  })
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

function hasRight(role: (typeof ROLES)[number], right: Role): boolean {
  return RIGHTS[role].some((known) => known === right)
}

function tokenOf(role: (typeof ROLES)[number]): string {
  return role === 'none' ? '' : deriveToken(hub.token, role)
}

/** A request, and the status for a client that has the right. */
interface Case {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: string
  status: number
}

/** Values that follow rules which JSON Schema does not express. */
const VALUES: Record<string, {valid: string; wrong?: string}> = {
  types: {valid: 'agent_output', wrong: 'A'},
  lines: {valid: '1', wrong: '2-1'},
  find: {valid: 'type', wrong: 'x'},
  'runs before': {valid: '1.a', wrong: 'x'},
}
const BODY = '{"session_id":"s","cwd":"/p","hook_event_name":"Stop"}'
/** Routes whose valid request names nothing that exists. */
const STATUS: Record<string, number> = {'/assets/{name}': 404, '/login': 403}

function listCases({method, path, answers, hasBody}: Route): Case[] {
  const {parameters = []} = api.paths[path]?.[method.toLowerCase()] ?? {}
  const filled = path.replace('{runId}', 'happy').replace('{name}', 'none')
  const status = STATUS[path] ?? Number(Object.keys(answers)[0])
  const query: Record<string, string> = path.endsWith('/records') ? {lines: '1'} : {}
  const cases: Case[] = [{path: filled, query, status, ...(hasBody === true && {body: BODY})}]
  for (const {name, in: at, schema} of parameters) {
    if (at === 'path' || name === 'Range' || name === 'code') continue
    const {valid, wrong} =
      VALUES[`${path.split('/').at(-1)} ${name}`] ?? VALUES[name] ?? valuesOf(schema)
    const others = name === 'find' ? {} : query
    const request = (value: string) =>
      at === 'header'
        ? {path: filled, headers: {[name]: value}}
        : {path: filled, query: {...others, [name]: value}}
    cases.push({...request(valid), status})
    if (wrong !== undefined) cases.push({...request(wrong), status: 400})
  }
  if (query['lines'] !== undefined) cases.push({path: filled, status: 400})
  if (hasBody === true) {
    cases.push(...['', 'x', '{}'].map((body) => ({path: filled, body, status: 400})))
  }
  if (path.startsWith('/api/runs/')) {
    cases.push({path: path.replace('{runId}', 'nobody'), query, status: 404})
  }
  return cases
}

function valuesOf(schema: Record<string, unknown>): {valid: string; wrong?: string} {
  const {enum: words, type, minimum, examples} = schema
  if (Array.isArray(words)) return {valid: String(words[0]), wrong: 'no-such-word'}
  if (type === 'integer') return {valid: String(minimum), wrong: String(Number(minimum) - 1)}
  if (Array.isArray(examples)) return {valid: String(examples[0]), wrong: 'no-such-word'}
  return type === 'boolean' ? {valid: 'true', wrong: 'yes'} : {valid: 'true'}
}

const routes = ROUTES.filter(({messages}) => messages === undefined)

describe.each(routes)('$method $path', (route) => {
  test.each(ROLES)('returns the expected statuses to a client with the role %s', async (role) => {
    const {method, right, answers} = route
    const authorization = role === 'none' ? {} : {authorization: `Bearer ${tokenOf(role)}`}
    // The pages of the dashboard are public, but show instructions to clients that may not view.
    const needed = right ?? (401 in answers ? 'view' : null)
    for (const {path, query, headers, body, status} of listCases(route)) {
      const url = `${path}?${new URLSearchParams(query)}`
      const response = await fetch(hub.url + url, {
        method,
        headers: {...authorization, 'content-type': 'application/json', ...headers},
        ...(body !== undefined && {body}),
      })
      await response.body?.cancel()
      const mayFind = query?.['find'] === undefined || hasRight(role, 'answer')
      const isAllowed = needed === null || (hasRight(role, needed) && mayFind)
      const refusal = role === 'none' ? 401 : 403
      expect([url, response.status]).toEqual([url, isAllowed ? status : refusal])
    }
  })
})

test.each(ROLES)('opens the WebSocket of clients to the role %s if it may view', async (role) => {
  const opened = connect(hub.url, {token: tokenOf(role)}).then(
    (client) => (client.close(), 101),
    (error: Error) => Number(/\d+$/.exec(error.message)?.[0]),
  )
  expect(await opened).toBe(hasRight(role, 'view') ? 101 : role === 'none' ? 401 : 403)
})

/** The replies to valid messages about a run that has ended, without and with the right to answer. */
const REPLIES: Record<string, [string, string]> = {
  subscribe: ['subscribed', 'subscribed'],
  unsubscribe: ['unsubscribed', 'unsubscribed'],
  ping: ['pong', 'pong'],
  answer_permission: ['forbidden', 'not-reachable'],
  stop_run: ['forbidden', 'not-reachable'],
  watch_run: ['run_items', 'run_items'],
  unwatch_run: ['pong', 'pong'],
}

describe.each(Object.keys(REPLIES))('%s', (type) => {
  const {properties = {}, required = []} = api.components.schemas[type] ?? {}
  const fields = Object.entries(properties as Record<string, {type?: string}>)
  const valueOf: Record<string, unknown> = {string: 'happy', boolean: true}
  const needed = Object.fromEntries(
    fields.flatMap(([name, schema]) =>
      required.includes(name) ? [[name, name === 'type' ? type : valueOf[schema.type ?? '']]] : [],
    ),
  )
  const wrongOf: Record<string, unknown> = {string: '', boolean: 'x', integer: -1, object: []}

  test.each(['view', 'answer'] as const)('is answered to the role %s', async (role) => {
    const client = await connect(hub.url, {token: tokenOf(role)})
    const replyTo = async (message: object, isReply: (reply: ReceivedMessage) => boolean) => {
      client.received.length = 0
      client.send(message)
      // Some messages have no reply.
      if (type === 'unwatch_run') client.send({type: 'ping', ref: 'valid'})
      return client.receives(isReply)
    }
    const valid = await replyTo(
      {...needed, ref: 'valid'},
      ({type: kind, ref}) => ref === 'valid' || kind === 'run_items',
    )
    expect(valid['code'] ?? valid.type).toBe(REPLIES[type]?.[role === 'view' ? 0 : 1])
    for (const [field, schema] of fields) {
      const {[field]: _given, ...missing} = needed
      const wrong = {...needed, [field]: wrongOf[schema.type ?? ''] ?? {}}
      for (const message of required.includes(field) ? [wrong, missing] : [wrong]) {
        const error = await replyTo(message, ({type: kind}) => kind === 'error')
        const code = field === 'type' ? 'unknown-type' : 'bad-field'
        expect([message, error['code'], error['field']]).toEqual([message, code, field])
      }
    }
    client.close()
  })
})
