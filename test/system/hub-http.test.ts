import {mkdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {history, startHub, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

const place = createPlace()
let hub: RunningHub
let bytes: Buffer
const secret = `ghp_${'Ab1'.repeat(12)}`

beforeAll(async () => {
  mkdirSync(place.file('work'))
  hub = await startHub(place)
  const options = {
    cwd: place.file('work'),
    env: {COUNT: '300', RATE: '1000000', TEXT: `The key is ${secret}, do not tell.`},
  }
  const quiet = ['--format', 'quiet']
  for (let run = 1; run <= 5; run++)
    await place.runFake('happy', ['--id', `happy-${run}`, ...quiet], options)
  await place.runFake('many', ['--id', 'many', ...quiet], options)
  await place.runFake('prints-text', ['--id', 'secret', ...quiet], options)
  await until(async () => (await hub.json('/api/runs?state=over'))['total'] === 7)
  bytes = readFileSync(join(place.dirOf('many'), 'stdout'))
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

describe('a browser', () => {
  const browser = {accept: 'text/html,application/xhtml+xml'}

  test('receives a page with login instructions when it is not logged in', async () => {
    const answer = await fetch(`${hub.url}/runs/many`, {headers: browser})
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    )
    expect(await answer.text()).toContain('vitrine login')
  })

  test('receives an HTML page for an unknown path, and a program JSON', async () => {
    const headers = {authorization: `Bearer ${hub.token}`}
    const page = await fetch(`${hub.url}/nowhere`, {headers: {...headers, ...browser}})
    expect(page.status).toBe(404)
    expect(await page.text()).toContain('<a href="/">')
    const answer = await fetch(`${hub.url}/nowhere`, {headers})
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({error: {code: 'not-found'}})
  })
})

describe('/api/runs', () => {
  test('pages from the newest to the oldest', async () => {
    const seen: string[] = []
    for (let before = ''; ;) {
      const page = await hub.json(`/api/runs?limit=3${before}`)
      const runs = page['runs'] as {runId: string}[]
      seen.push(...runs.map(({runId}) => runId))
      expect(page['total']).toBe(7)
      if (page['next'] === null || runs.length < 3) break
      before = `&before=${encodeURIComponent(String(page['next']))}`
    }
    expect(seen).toEqual(['secret', 'many', 'happy-5', 'happy-4', 'happy-3', 'happy-2', 'happy-1'])
  })

  test.each([
    ['agent=claude', 7],
    ['agent=codex', 0],
    ['verdict=succeeded', 7],
    ['verdict=failed', 0],
    ['state=live', 0],
    ['workOrderId=many', 1],
    ['q=many', 1],
  ])('finds %s', async (query, total) => {
    expect(await hub.json(`/api/runs?${query}`)).toMatchObject({total})
  })

  test('returns the summary of a run', async () => {
    const {run, lastSeq} = await hub.json('/api/runs/happy-1')
    expect(lastSeq).toBe(6)
    expect(run).toMatchObject({
      runId: 'happy-1',
      agent: 'claude',
      state: 'over',
      verdict: 'succeeded',
      percentage: 100,
      toolCount: 1,
    })
  })

  test('pages the messages of a run', async () => {
    const seen: number[] = []
    for (let since = 0; ;) {
      const page = await hub.json(`/api/runs/many/events?limit=100&since=${since}`)
      seen.push(...(page['events'] as ReceivedMessage[]).map(({seq = 0}) => seq))
      since = Number(page['next'])
      if (page['isEnd'] === true) break
    }
    expect(seen).toEqual(Array.from({length: 302}, (_, at) => at + 1))
    const calls = await hub.json('/api/runs/many/events?types=agent_tool_call&limit=1000')
    expect(calls['events']).toHaveLength(100)
  })
})

describe('the bytes of a run', () => {
  const get = async (headers: Record<string, string> = {}, query = '') => {
    const response = await hub.get(`/api/runs/many/raw${query}`, headers)
    const body = Buffer.from(await response.arrayBuffer())
    return {status: response.status, body, range: response.headers.get('content-range')}
  }

  test('are identical to the output of the agent', async () => {
    const {status, body} = await get()
    expect(status).toBe(200)
    expect(Buffer.compare(body, bytes)).toBe(0)
    expect((await get({}, '?file=stderr')).body).toHaveLength(0)
    expect((await get({}, '?file=../../token')).status).toBe(400)
  })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-99', 10, 100],
    ['bytes=1000-', 1000, undefined],
    ['bytes=-50', -50, undefined],
    ['bytes=5-99999999', 5, undefined],
  ])('are returned for a range: %s', async (range, start, end) => {
    const {status, body, range: contentRange} = await get({range})
    expect(status).toBe(206)
    expect(Buffer.compare(body, bytes.subarray(start, end))).toBe(0)
    expect(contentRange).toMatch(new RegExp(`^bytes \\d+-\\d+/${bytes.length}$`))
  })

  test.each(['bytes=99999999-', 'bytes=-0'])(
    'are rejected for an unsatisfiable range: %s',
    async (range) => {
      expect(await get({range})).toMatchObject({status: 416, range: `bytes */${bytes.length}`})
    },
  )

  test.each(['bytes=9-5', 'bytes=a-b', 'lines=1-2', 'bytes=0-1,3-4'])(
    'are returned completely for an invalid range: %s',
    async (range) => {
      const {status, body} = await get({range})
      expect({status, length: body.length}).toEqual({status: 200, length: bytes.length})
    },
  )
})

describe('a stream for curl', () => {
  const read = async (query: string, headers: Record<string, string> = {}) => {
    const response = await hub.get(`/api/runs/many/stream${query}`, headers)
    const text = await response.text()
    const blocks = text.split('\n\n').filter((block) => block.startsWith('id:'))
    const messages = blocks.map((block) => {
      const [, id, type, data = ''] = /^id: (\d+)\nevent: (\w+)\ndata: (.*)$/.exec(block) ?? []
      const message = JSON.parse(data) as ReceivedMessage
      expect([String(message.seq), message.type]).toEqual([id, type])
      return message
    })
    return {status: response.status, type: response.headers.get('content-type'), messages}
  }

  test('contains all messages and ends with the run', async () => {
    const {status, type, messages} = await read('')
    expect({status, type}).toEqual({status: 200, type: 'text/event-stream; charset=utf-8'})
    expect(history(messages)).toHaveLength(302)
    expect(messages.at(-1)).toMatchObject({type: 'run_updated'})
  })

  test('continues after the last event id, and ends after the last message', async () => {
    const {messages} = await read('', {'last-event-id': '300'})
    expect(history(messages).map(({seq}) => seq)).toEqual([301, 302])
    expect((await read('', {'last-event-id': '302'})).status).toBe(204)
  })

  test('omits excluded message types', async () => {
    const {messages} = await read('?includeOutput=false&includeProgress=false')
    const types = new Set(messages.map(({type}) => type))
    expect(types).not.toContain('agent_output')
    expect(types).not.toContain('progress_update')
    expect(types).toContain('agent_tool_call')
  })

  test('follows a live run', async () => {
    // This agent prints until it is stopped.
    const run = place.startFake('slow', ['--id', 'slow', '--format', 'quiet'], {
      cwd: place.file('work'),
      env: {LINES: '1000000', GROW: '0'},
    })
    await until(async () => (await hub.get('/api/runs/slow')).status === 200)
    const response = await hub.get('/api/runs/slow/stream')
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, {stream: true})
      if (text.includes('event: agent_output')) break
    }
    run.child.kill('SIGINT')
    await run.ended
    expect(text).toContain('event: run_started')
  })
})

describe('a secret', () => {
  test('is in no message, list, search, stream or page, but in the bytes', async () => {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: 'secret', since: 0})
    await client.receives(({type}) => type === 'run_updated')
    client.close()
    const paths = [
      '/api/runs',
      '/api/runs/secret',
      '/api/runs/secret/events',
      '/api/runs/secret/stream',
      '/api/search?q=key',
      `/api/search?q=${secret}`,
      '/api/stats',
      '/metrics',
      '/',
    ]
    const texts = await Promise.all(paths.map(async (path) => (await hub.get(path)).text()))
    expect(JSON.stringify(client.received)).toContain('ghp_***')
    for (const text of [...texts, JSON.stringify(client.received)])
      expect(text).not.toContain(secret)
    const raw = await hub.get('/api/runs/secret/raw')
    expect(await raw.text()).toContain(secret)
  })
})

describe('the hub', () => {
  test.each([
    ['/api/runs/nobody', 404, 'no-such-run'],
    ['/api/runs/..%2f..%2ftoken/raw', 404, 'no-such-run'],
    ['/api/nothing', 404, 'not-found'],
    ['/api/runs?limit=x', 400, 'bad-request', '`limit`: expected 1–500.'],
    ['/api/runs?before=x', 400, 'bad-request', '`before`: expected `next` of the previous page.'],
    ['/api/runs?state=dead', 400, 'bad-request', '`state`: expected `live`, `over`, `failed`'],
    ['/api/runs/many/events?since=-1', 400, 'bad-request', '`since`: expected a whole number'],
    ['/api/runs/many/events?types=A', 400, 'bad-request', '`types`: expected message types'],
    ['/api/runs/many/records?lines=x', 400, 'bad-request', '`lines`: expected at most 1,000'],
    [
      '/api/runs/many/records?find=x',
      400,
      'bad-request',
      '`find`: expected at least 2 characters.',
    ],
    [
      '/api/runs/many/raw?file=x',
      400,
      'bad-request',
      '`file`: expected `stdout`, `stderr`, or `stdin`.',
    ],
    ['/api/search?before=x', 400, 'bad-request', '`before`: expected `next` of the previous page.'],
  ])('answers %s with %i %s', async (path, status, code, text = '') => {
    const response = await hub.get(path)
    expect(response.status).toBe(status)
    const message = expect.stringContaining(text) as string
    expect(await response.json()).toMatchObject({error: {code, message}})
  })

  test('serves only its health check without a token', async () => {
    expect((await fetch(`${hub.url}/api/nothing`)).status).toBe(401)
    expect((await fetch(`${hub.url}/api/runs`)).status).toBe(401)
    expect((await fetch(`${hub.url}/metrics`)).status).toBe(401)
    const health = await fetch(`${hub.url}/healthz`)
    expect(await health.json()).toMatchObject({status: 'ok'})
  })

  test('sends security headers', async () => {
    for (const path of ['/', '/api/runs', '/healthz', '/api/nothing']) {
      const {headers} = await hub.get(path)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('counts runs in metrics and statistics', async () => {
    // The hub has read the end of the stopped run.
    await until(async () => (await hub.json('/api/runs?state=over'))['total'] === 8)
    const text = await (await hub.get('/metrics')).text()
    expect(text).toMatch(/^vitrine_messages_sent_total \d+$/m)
    expect(text).toMatch(/^vitrine_live_runs 0$/m)
    const stats = await hub.json('/api/stats')
    expect(stats).toMatchObject({
      runs: 8,
      byVerdict: {succeeded: 7, stopped: 1},
      byAgent: {claude: 8},
    })
  })

  test('accepts a login link once', async () => {
    const {stdout, exitCode} = await place.vitrine(['login'])
    expect(exitCode).toBe(0)
    const link = stdout.trim()
    // Previews and scanners do not invalidate the link.
    expect((await fetch(link, {method: 'HEAD', redirect: 'manual'})).status).toBe(503)
    const preview = {redirect: 'manual', headers: {'sec-purpose': 'prefetch'}} as const
    expect((await fetch(link, preview)).headers.has('set-cookie')).toBe(false)
    const response = await fetch(link, {redirect: 'manual'})
    expect(response.status).toBe(303)
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict/)
    expect((await fetch(`${hub.url}/api/runs`, {headers: {cookie}})).status).toBe(200)
    expect((await fetch(link, {redirect: 'manual'})).status).toBe(403)
  })
})
