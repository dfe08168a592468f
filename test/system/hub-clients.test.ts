import {once} from 'node:events'
import {appendFileSync, mkdirSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {
  history,
  startHub,
  type Client,
  type ReceivedMessage,
  type RunningHub,
} from '../support/hub.ts'
import {createPlace} from '../support/run.ts'
import {bin, fixture} from '../support/vitrine.ts'

const place = createPlace()
let hub: RunningHub
let all: ReceivedMessage[]

const flags = {
  includeToolCalls: 'agent_tool_call',
  includeToolResults: 'agent_tool_result',
  includeOutput: 'agent_output',
  includeFileChanges: 'file_changed',
  includeProgress: 'progress_update',
}
const names = Object.keys(flags) as (keyof typeof flags)[]

beforeAll(async () => {
  hub = await startHub(place)
  mkdirSync(place.file('work'))
  await place.runFake('writes', ['--id', 'files', '--format', 'quiet'], {cwd: place.file('work')})
  all = (await follow({runId: 'files', since: 0})).received
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

/** Subscribes, and waits until the replay of a finished run is complete. */
async function follow(subscription: object): Promise<Client> {
  const client = await hub.connect()
  client.send({type: 'subscribe', ...subscription})
  await client.receives(({type, run}) => type === 'run_updated' && isOver(run))
  client.close()
  return client
}

function isOver(run: unknown): boolean {
  return (run as {state: string}).state === 'over'
}

test('the run has messages of every type that a flag selects', () => {
  const types = new Set(all.map(({type}) => type))
  for (const type of Object.values(flags)) expect(types).toContain(type)
  expect([...types].filter((type) => type.startsWith('run_'))).toHaveLength(3)
})

test('files that no tool reports are counted in summaries, verdict and list', async () => {
  const {run} = await hub.json('/api/runs/files')
  expect(run).toMatchObject({fileCount: 2, isWatched: true})
  expect(all.find(({type}) => type === 'run_ended')).toMatchObject({fileCount: 2})
  const live = all.flatMap(({type, run: summary}) => (type === 'run_updated' ? [summary] : []))
  expect(live.at(-1)).toMatchObject({fileCount: 2})
  expect((await place.vitrine(['runs'])).stdout).toContain('2 files')
})

test('a file change is published once, with or without a report of a tool', () => {
  const changes = all.filter(({type}) => type === 'file_changed')
  const published = changes.map(({path, action, sizeBytes}) => [path, action, sizeBytes])
  expect(published.toSorted()).toEqual([
    ['reported.txt', 'created', 9],
    ['unreported.txt', 'created', 13],
  ])
})

describe('a combination of subscription flags', () => {
  const combinations = Array.from({length: 32}, (_, bits) =>
    Object.fromEntries(names.map((name, at) => [name, ((bits >> at) & 1) === 1])),
  )
  test.each(combinations)('selects the messages: %j', async (filter) => {
    const {received} = await follow({runId: 'files', since: 0, ...filter})
    const unwanted = new Set<string>(
      names.filter((name) => filter[name] === false).map((name) => flags[name]),
    )
    const wanted = (messages: ReceivedMessage[]) => messages.filter(({type}) => !unwanted.has(type))
    expect(history(received)).toEqual(wanted(history(all)))
    const progressCount = received.filter(({type}) => type === 'progress_update').length
    expect(progressCount > 0).toBe(filter['includeProgress'])
    const answer = {type: 'subscribed', runId: 'files', since: 0, includeThinking: false}
    expect(received[0]).toEqual({...answer, ...filter})
  })
})

describe('thinking', () => {
  const thinks = {runId: 'thinks', since: 0, includeThinking: true}
  const types = (messages: ReceivedMessage[]) => messages.map(({seq, type}) => [seq, type])
  const expected = [
    [1, 'run_started'],
    [1, 'agent_thinking'],
    [2, 'agent_output'],
    [3, 'agent_tool_call'],
    [4, 'agent_tool_result'],
    [4, 'agent_thinking'],
    [5, 'agent_output'],
    [6, 'run_ended'],
  ]

  beforeAll(async () => {
    const agent = [process.execPath, bin, 'fake-agent', fixture('claude/2.1.325/thinking')]
    const options = ['--id', 'thinks', '--format', 'quiet', '--agent', 'claude']
    const live = await hub.connect()
    live.send({type: 'subscribe', ...thinks})
    await place.vitrine(['run', ...options, '--', ...agent])
    await live.receives(({type}) => type === 'run_ended')
    live.close()
    liveTypes = types(history(live.received))
  })

  let liveTypes: unknown

  test('is published once, live and in a replay, to a client that requests it', async () => {
    const {received} = await follow(thinks)
    expect(received[0]).toMatchObject({type: 'subscribed', includeThinking: true})
    expect([liveTypes, types(history(received))]).toEqual([expected, expected])
    const later = (await follow({...thinks, since: 4})).received
    expect(types(history(later))).toEqual(expected.slice(5))
  })

  test('is not sent to other clients and leaves no gap in their sequence numbers', async () => {
    const {received} = await follow({runId: 'thinks', since: 0})
    expect(history(received).map(({seq}) => seq)).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('is listed in pages and sent as server-sent events', async () => {
    const page = await hub.json('/api/runs/thinks/events?includeThinking=true')
    expect(types(page['events'] as ReceivedMessage[])).toEqual(expected)
    const plain = await hub.json('/api/runs/thinks/events')
    expect(plain['events']).toHaveLength(6)
    const stream = await (await hub.get('/api/runs/thinks/stream?includeThinking=true')).text()
    const head = stream.split('\n').filter((line) => !line.startsWith('data:') && line !== '')
    expect(head.slice(0, 6)).toEqual([
      'id: 1',
      'event: run_started',
      'id: 1',
      'event: agent_thinking',
      'id: 2',
      'event: agent_output',
    ])
  })
})

describe('a client', () => {
  test.each([
    ['not json', 'bad-json'],
    ['{"type":', 'bad-json'],
    ['[]', 'bad-json'],
    ['{}', 'unknown-type'],
    ['{"type":"launch_missiles"}', 'unknown-type'],
    ['{"type":"subscribe","runId":{}}', 'bad-field'],
    ['{"type":"subscribe","runId":"files","since":"x"}', 'bad-field'],
    ['{"type":"subscribe","includeOutput":"maybe"}', 'bad-field'],
    ['{"type":"answer_permission"}', 'bad-field'],
    ['{"type":"stop_run","runId":"nobody"}', 'no-such-run'],
    ['{"type":"stop_run","runId":"files"}', 'not-reachable'],
    [
      '{"type":"answer_permission","runId":"files","requestId":"x","allow":true,"rule":"Bash("}',
      'bad-field',
    ],
    [Buffer.from('{"type":"ping"}'), 'binary'],
    [Buffer.alloc(1000), 'binary'],
  ])('sends %j, receives the error %s and stays connected', async (text, code) => {
    const client = await hub.connect()
    client.socket.send(text)
    expect(await client.receives(({type}) => type === 'error')).toMatchObject({code})
    client.send({type: 'ping', ref: 'still here'})
    await client.receives(({type, ref}) => type === 'pong' && ref === 'still here')
    client.close()
  })

  test('loses the connection when it sends a message of 10 MB', async () => {
    const client = await hub.connect()
    client.send('x'.repeat(10 * 1024 * 1024))
    expect(await client.closed).toBe(1009)
  })

  test('receives an error and loses the connection when it exceeds the rate limit', async () => {
    const client = await hub.connect()
    for (let count = 0; count < 3000; count++) client.send({type: 'ping'})
    await client.receives(({type, code}) => type === 'error' && code === 'rate-limited')
    expect(await client.closed).toBe(1008)
    const other = await hub.connect()
    other.send({type: 'ping'})
    await other.receives(({type}) => type === 'pong')
    other.close()
  })

  test('receives a pong for a ping, and loses the connection for hundreds of them', async () => {
    const client = await hub.connect()
    client.socket.ping('here')
    const [data] = (await once(client.socket, 'pong')) as [Buffer]
    expect(data.toString()).toBe('here')
    client.socket.pause()
    for (let count = 0; count < 300; count++) client.socket.ping()
    client.socket.resume()
    expect(await client.closed).toBe(1006)
  })

  test('unsubscribes from one of several runs', async () => {
    const client = await hub.connect()
    for (let count = 0; count < 10; count++) {
      client.send({type: 'subscribe', runId: `run-${count}`})
    }
    await client.receives(({runId}) => runId === 'run-9')
    client.send({type: 'unsubscribe', runId: 'run-9', ref: 'a'})
    expect(await client.receives(({type}) => type === 'unsubscribed')).toEqual({
      type: 'unsubscribed',
      runId: 'run-9',
      ref: 'a',
    })
    client.close()
  })

  test('receives no past messages when it subscribes without `since`', async () => {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: 'files'})
    await client.receives(({type}) => type === 'subscribed')
    // Past messages would arrive before a later replay to another client ends.
    await follow({runId: 'files', since: 0})
    client.send({type: 'ping'})
    await client.receives(({type}) => type === 'pong')
    expect(client.received.map(({type}) => type)).toEqual(['subscribed', 'pong'])
    client.close()
  })

  test('receives each message once when several of its subscriptions match', async () => {
    const client = await hub.connect()
    client.send({type: 'subscribe'})
    client.send({type: 'subscribe', workOrderId: 'order'})
    client.send({type: 'subscribe', runId: 'once', since: 0})
    await client.receives(({type, runId}) => type === 'subscribed' && runId === 'once')
    await place.runFake('happy', ['--id', 'once', '--work-order', 'order', '--format', 'quiet'], {
      cwd: place.file('work'),
    })
    await client.receives(({type, runId}) => type === 'run_ended' && runId === 'once')
    // Duplicates would be published in the same turn, before the reply to a ping.
    client.send({type: 'ping'})
    await client.receives(({type}) => type === 'pong')
    const received = history(client.received).filter(({runId}) => runId === 'once')
    expect(received.map(({seq}) => seq)).toEqual([1, 2, 3, 4, 5, 6])
    expect(new Set(received.map(({workOrderId}) => workOrderId))).toEqual(new Set(['order']))
    client.close()
  })

  test('receives a gap with the missed range when it stops reading, and can replay it later', async () => {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: 'much', since: 0})
    await client.receives(({type}) => type === 'subscribed')
    client.socket.pause()
    const quick = await hub.connect()
    quick.send({type: 'subscribe', runId: 'much', since: 0})
    // 16 MB: more than the hub and both sockets buffer, ten lines at most ahead of the other client.
    const pace = place.file('pace')
    writeFileSync(pace, '..........')
    quick.socket.on('message', (data) => {
      if (String(data).includes('This is line ')) appendFileSync(pace, '.')
    })
    const {exitCode} = await place.runFake('slow', ['--id', 'much', '--format', 'quiet'], {
      cwd: place.file('work'),
      env: {LINES: '250', GROW: '500', MS: '1', PACE_FILE: pace},
    })
    expect(exitCode).toBe(0)
    await quick.receives(({type}) => type === 'run_ended')
    const total = history(quick.received).length
    expect(history(quick.received).map(({seq}) => seq)).toEqual(upTo(total))
    client.socket.resume()
    const {from, to} = (await client.receives(({type}) => type === 'gap')) as unknown as {
      from: number
      to: number
    }
    const before = history(client.received).filter(({seq = 0}) => seq < from)
    expect(before.map(({seq}) => seq)).toEqual(upTo(from - 1))
    const last = Math.max(...history(client.received).map(({seq = 0}) => seq), to)
    expect(last).toBe(total)
    client.close()
    const later = await hub.connect()
    later.send({type: 'subscribe', runId: 'much', since: from - 1})
    await later.receives(({type}) => type === 'run_ended')
    expect(history(later.received).map(({seq}) => seq)).toEqual(upTo(total).slice(from - 1))
    later.close()
    quick.close()
  })
})

const upTo = (count: number) => Array.from({length: count}, (_, at) => at + 1)

describe('a WebSocket connection', () => {
  const open = async (options: object, protocols: string[] = []) => {
    const socket = new WebSocket(`${hub.url.replace('http', 'ws')}/ws`, protocols, options)
    const [answer] = (await Promise.race([
      once(socket, 'open').then(() => ['open']),
      once(socket, 'unexpected-response').then(([, response]) => [
        (response as {statusCode: number}).statusCode,
      ]),
    ])) as [string | number]
    socket.on('error', () => {})
    socket.terminate()
    return answer
  }
  const authorization = () => `Bearer ${hub.token}`

  test.each([
    [
      'is accepted with the token in a header',
      () => ({headers: {authorization: authorization()}}),
      [],
      'open',
    ],
    ['is accepted with the token as a subprotocol', () => ({}), ['vitrine', 'token'], 'open'],
    ['is rejected without a token', () => ({}), [], 401],
    ['is rejected with a wrong token', () => ({headers: {authorization: 'Bearer x'}}), [], 401],
    [
      'is rejected from a page of another origin',
      () => ({headers: {authorization: authorization()}, origin: 'https://evil.example'}),
      [],
      403,
    ],
    [
      'is rejected for another host name, as after DNS rebinding',
      () => ({headers: {authorization: authorization(), host: 'evil.example'}}),
      [],
      421,
    ],
  ])('%s', async (_name, options, protocols, answer) => {
    const named = protocols.map((name) => (name === 'token' ? `token.${hub.token}` : name))
    expect(await open(options(), named)).toBe(answer)
  })

  test('is limited to the role of its token', async () => {
    const viewToken = (await place.vitrine(['token', '--role', 'view'])).stdout.trim()
    const viewer = await hub.connect({token: viewToken})
    viewer.send({type: 'stop_run', runId: 'files'})
    expect(await viewer.receives(({type}) => type === 'error')).toMatchObject({code: 'forbidden'})
    viewer.send({type: 'answer_permission', runId: 'files', requestId: 'x', allow: true, ref: 'b'})
    expect(await viewer.receives(({ref}) => ref === 'b')).toMatchObject({code: 'forbidden'})
    viewer.send({type: 'subscribe', runId: 'files', since: 0})
    await viewer.receives(({type}) => type === 'run_ended')
    viewer.close()
    const headers = {authorization: `Bearer ${viewToken}`}
    expect((await hub.get('/api/runs', headers)).status).toBe(200)
    expect((await hub.get('/api/runs/files/raw', headers)).status).toBe(403)
    const ingest = (await place.vitrine(['token', '--role', 'ingest'])).stdout.trim()
    expect((await hub.get('/api/runs', {authorization: `Bearer ${ingest}`})).status).toBe(403)
  })
})
