import {execFile} from 'node:child_process'
import {rmSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import * as z from 'zod'
import {errorAnswer} from '../../src/hub/protocol/answers.ts'
import {ROUTES} from '../../src/hub/protocol/routes.ts'
import {runMessage, serverMessage} from '../../src/hub/protocol/server-messages.ts'
import {startHub, type Client, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

const place = createPlace()
let hub: RunningHub
let client: Client

beforeAll(async () => {
  hub = await startHub(place)
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

describe('the schema', () => {
  test.each([
    ['/api/runs', '/api/runs', 200],
    ['/api/runs', '/api/runs?limit=1&workOrderId=wo-12', 200],
    ['/api/runs', '/api/runs?limit=none', 400],
    ['/api/runs/{runId}', '/api/runs/happy', 200],
    ['/api/runs/{runId}', '/api/runs/asks', 200],
    ['/api/runs/{runId}', '/api/runs/nobody', 404],
    ['/api/runs/{runId}/events', '/api/runs/asks/events', 200],
    ['/api/runs/{runId}/events', '/api/runs/happy/events?since=2&limit=1', 200],
    ['/api/runs/{runId}/records', '/api/runs/happy/records?lines=1-3', 200],
    ['/api/runs/{runId}/records', '/api/runs/happy/records?find=type', 200],
    ['/api/runs/{runId}/raw', '/api/runs/happy/raw?file=other', 400],
    ['/api/search', '/api/search?q=echo&limit=1', 200],
    ['/api/search', '/api/search?q=nothing-like-it', 200],
    ['/api/stats', '/api/stats', 200],
    ['/healthz', '/healthz', 200],
  ])('matches the response of %s to %s', async (path, url, status) => {
    const response = await hub.get(url)
    expect(response.status).toBe(status)
    expect(await findFlaws(path, response)).toEqual([])
  })

  test('matches the response with a login link', async () => {
    const headers = {authorization: `Bearer ${hub.token}`}
    const response = await fetch(`${hub.url}/api/login-links`, {method: 'POST', headers})
    expect(response.status).toBe(201)
    expect(await findFlaws('/api/login-links', response)).toEqual([])
  })

  test('matches the page for a login link that was already used', async () => {
    const response = await hub.get('/login?code=none')
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    expect([response.status, type]).toEqual([403, 'text/html'])
    expect(await response.text()).toContain('vitrine login')
  })

  test('matches the response to a request without a token', async () => {
    const response = await fetch(`${hub.url}/api/runs`)
    expect(response.status).toBe(401)
    expect(await findFlaws('/api/runs', response)).toEqual([])
  })

  test('matches the responses to a range and to an unsatisfiable range', async () => {
    const part = await hub.get('/api/runs/happy/raw', {range: 'bytes=0-9'})
    const none = await hub.get('/api/runs/happy/raw', {range: 'bytes=9999999-'})
    expect([part.status, (await part.arrayBuffer()).byteLength, none.status]).toEqual([
      206, 10, 416,
    ])
    const {answers} = ROUTES.find(({path}) => path === '/api/runs/{runId}/raw') ?? {}
    expect(Object.keys(answers ?? {})).toEqual(expect.arrayContaining(['206', '416']))
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
      expect(runMessages.safeParse(message).error).toBe(undefined)
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
    expect([message, serverMessages.safeParse(message).error]).toEqual([message, undefined])
  }
  const types = new Set(client.received.map(({type}) => type))
  // These need a slow client, a changed file and an agent that thinks.
  const known = serverMessage.options.map(({shape}) => shape.type.value)
  const missing = known.filter((type) => !types.has(type))
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

test('a field that is missing, wrong or unknown is detected', () => {
  const {runId: _runId, ...message} = client.received.find(({type}) => type === 'run_started') ?? {}
  for (const wrong of [message, {...message, runId: 7}, {...message, runId: 'a', more: 1}]) {
    expect(serverMessages.safeParse(wrong).success).toBe(false)
  }
})

const runMessages = toStrict(runMessage)
const serverMessages = toStrict(serverMessage)

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0]

/** The same schema, which rejects unknown fields. */
function toStrict(schema: z.ZodType): z.ZodType {
  return z.fromJSONSchema(z.toJSONSchema(schema, {io: 'output'}) as JsonSchema)
}

/** Lists the differences between a response and its schema. */
async function findFlaws(path: string, response: Response): Promise<unknown[]> {
  const {answers = {}} = ROUTES.find((route) => route.path === path) ?? {}
  const answer = response.ok ? answers[response.status] : errorAnswer
  if (!(answer instanceof z.ZodType)) return [`${path}: ${response.status} has no schema`]
  return toStrict(answer).safeParse(await response.json()).error?.issues ?? []
}
