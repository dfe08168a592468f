import {cpSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {LineItem, RunItem, RunItemsMessage} from '../../src/replay/run-item.ts'
import {startHub, type Client, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

const place = createPlace()
let hub: RunningHub

beforeAll(async () => {
  hub = await startHub(place)
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

/** Returns all items of a run that a client received. */
function itemsOf(client: Client, runId: string): RunItem[] {
  return client.received
    .filter((message) => message.type === 'run_items' && message.runId === runId)
    .flatMap((message) => (message as unknown as RunItemsMessage).items)
}

const isEnd = (message: {type: string}) =>
  message.type === 'run_items' &&
  (message as unknown as RunItemsMessage).items.some(({type}) => type === 'end')

describe('a view of a run', () => {
  test('receives the items of a live run from start to end', async () => {
    const run = place.startFake('slow', ['--id', 'slow'], {env: {LINES: '20'}})
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: 'slow', since: 0})
    await client.receives(({type}) => type === 'run_started')
    client.send({type: 'watch_run', runId: 'slow'})
    await client.receives(isEnd)
    await run.ended
    const items = itemsOf(client, 'slow')
    expect(items.map(({n}) => n)).toEqual(items.map((_, at) => at + 1))
    expect(items.at(0)).toMatchObject({type: 'start', agent: 'claude', cwd: place.folder})
    expect(items.at(-1)).toMatchObject({type: 'end', verdict: 'succeeded', exitCode: 0})
    const lines = items.filter((item): item is LineItem => item.type === 'line')
    const output = place.read('slow', 'stdout')
    expect(lines.reduce((sum, {size}) => sum + size, 0)).toBe(output.length)
    client.close()
  })

  test('continues after the given item, and can be closed', async () => {
    const client = await hub.connect()
    client.send({type: 'watch_run', runId: 'slow', since: 3})
    await client.receives(isEnd)
    expect(itemsOf(client, 'slow').at(0)).toMatchObject({n: 4})
    client.send({type: 'unwatch_run', runId: 'slow'})
    client.send({type: 'watch_run', runId: 'slow', since: 1_000_000})
    const caughtUp = await client.receives(
      (message) =>
        message.type === 'run_items' &&
        (message as unknown as RunItemsMessage).items.length === 0 &&
        message['isCaughtUp'] === true,
    )
    expect(caughtUp['bytes']).toEqual({
      read: place.read('slow', 'stdout').length,
      total: place.read('slow', 'stdout').length,
    })
    client.close()
  })

  test('receives the end of a long run first, and then all of it', async () => {
    const script = 'for (let i = 1; i <= 6000; i++) console.log(`${i} ${"x".repeat(900)}`)'
    const run = place.start([
      'run',
      '--id',
      'much',
      '--data-dir',
      place.dataDir,
      '--',
      process.execPath,
      '-e',
      script,
    ])
    await run.ended
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: 'much', since: 0})
    await client.receives(({type}) => type === 'run_ended')
    client.send({type: 'watch_run', runId: 'much'})
    await client.receives(isEnd)
    const messages = client.received.filter(({type}) => type === 'run_items')
    const [first, ...rest] = messages as unknown as RunItemsMessage[]
    expect(first?.preview).toEqual({from: 5602, of: 6000})
    expect(first?.isCaughtUp).toBe(false)
    const early = first?.items.filter((item): item is LineItem => item.type === 'line') ?? []
    expect(early.map(({line}) => line)).toEqual(Array.from({length: 399}, (_, at) => 5602 + at))
    const all = rest.flatMap(({items}) => items)
    expect(all.map(({n}) => n)).toEqual(all.map((_, at) => at + 1))
    expect(early).toEqual(all.filter(({type}) => type === 'line').slice(5601))
    client.close()
  })

  test('is complete beside many others on one connection', async () => {
    const runIds = Array.from({length: 8}, (_, at) => `beside-${at}`)
    for (const runId of runIds) {
      cpSync(join(place.dataDir, 'runs', 'slow'), join(place.dataDir, 'runs', runId), {
        recursive: true,
      })
    }
    await until(async () => (await hub.get('/api/runs/beside-7')).status === 200)
    const client = await hub.connect()
    for (const runId of runIds) client.send({type: 'watch_run', runId})
    for (const runId of runIds) {
      await client.receives((message) => isEnd(message) && message.runId === runId)
    }
    const [first = [], ...others] = runIds.map((runId) => itemsOf(client, runId))
    for (const items of others) expect(items).toHaveLength(first.length)
    // Pending items of a closed view do not count against the next views.
    for (let round = 0; round < 8; round++) {
      for (const type of ['watch_run', 'unwatch_run']) client.send({type, runId: 'beside-0'})
    }
    client.send({type: 'watch_run', runId: 'beside-0', since: first.length - 1})
    await client.receives(
      (message) => isEnd(message) && (message as unknown as RunItemsMessage).items.length === 1,
    )
    client.close()
  })

  test('is rejected when the run does not exist', async () => {
    const client = await hub.connect()
    client.send({type: 'watch_run', runId: 'nobody', ref: '1'})
    client.send({type: 'watch_run', runId: '../../etc', ref: '2'})
    for (const ref of ['1', '2']) {
      expect(await client.receives((message) => message['ref'] === ref)).toMatchObject({
        type: 'error',
        code: 'no-such-run',
      })
    }
    client.close()
  })

  test('is live, and contains permission requests only for a client that may answer them', async () => {
    const run = place.startFake(
      'asks',
      ['--id', 'asks', '--permissions', 'ask', '--format', 'json'],
      {
        agentArgs: ['-p', 'Do it'],
      },
    )
    const [viewToken] = (
      await place.vitrine(['token', '--role', 'view', '--data-dir', place.dataDir])
    ).stdout.split('\n')
    const viewer = await hub.connect({token: viewToken ?? ''})
    const owner = await hub.connect()
    owner.send({type: 'subscribe', runId: 'asks', since: 0})
    await owner.receives(({type}) => type === 'permission_request')
    owner.send({type: 'watch_run', runId: 'asks'})
    viewer.send({type: 'watch_run', runId: 'asks'})
    const hasRequest = (message: object) => JSON.stringify(message).includes('"permission-request"')
    await owner.receives((message) => message.type === 'run_items' && hasRequest(message))
    // The run waits for an answer.
    expect(owner.received.some(isEnd)).toBe(false)
    viewer.send({type: 'subscribe', runId: 'asks', since: 0})
    await viewer.receives(({type}) => type === 'run_updated')
    const authorization = `Bearer ${viewToken}`
    const paths = ['/api/runs', '/api/runs/asks', '/api/runs/asks/records?lines=1-20']
    for (const path of paths) {
      expect(await (await hub.get(path)).text()).toContain('request-1')
      const seen = await (await hub.get(path, {authorization})).text()
      expect(seen).not.toMatch(/request-1|"detail":"Bash"|can_use_tool/)
    }
    const {records} = (await (await hub.get(paths[2] ?? '', {authorization})).json()) as {
      records: {raw: string}[]
    }
    expect(records.map(({raw}) => raw)).toContain(
      '[Permission request: hidden, because it needs the right to answer]',
    )
    owner.send({type: 'answer_permission', runId: 'asks', requestId: 'request-1', allow: true})
    await owner.receives(isEnd)
    await viewer.receives(isEnd)
    await run.ended
    expect(viewer.received.some(hasRequest)).toBe(false)
    expect(itemsOf(viewer, 'asks').filter(({type}) => type === 'answer')).toEqual([])
    expect(JSON.stringify(viewer.received)).not.toContain('request-1')
    expect(itemsOf(owner, 'asks').find(({type}) => type === 'answer')).toMatchObject({
      requestId: 'request-1',
      allow: true,
      who: 'dashboard',
    })
    viewer.close()
    owner.close()
  })

  test('can load complete lines', async () => {
    const {records} = await hub.json('/api/runs/slow/records?lines=1-2')
    const [first] = place
      .read('slow', 'stdout')
      .toString()
      .split(/(?<=\n)/)
    expect(records).toMatchObject([{line: 1, raw: first}, {line: 2}])
    const bad = await hub.get('/api/runs/slow/records?lines=3-2')
    expect(bad.status).toBe(400)
    const tooMany = await hub.get('/api/runs/slow/records?lines=1-1001')
    expect(tooMany.status).toBe(400)
    const none = await hub.get('/api/runs/nobody/records?lines=1')
    expect(none.status).toBe(404)
  })
})

describe('the lines of a run', () => {
  test('are found by their text, ignoring case', async () => {
    const lines = place.read('slow', 'stdout').toString().split('\n')
    const matching = lines.flatMap((line, at) => (/RESULT/i.test(line) ? [at + 1] : []))
    expect(matching.length).toBeGreaterThan(0)
    const found = await hub.json('/api/runs/slow/records?find=ReSuLt')
    expect(found).toEqual({lines: matching, total: matching.length})
    expect(await hub.json('/api/runs/slow/records?find=nowhere%20at%20all')).toEqual({
      lines: [],
      total: 0,
    })
  })

  test('cannot be searched with a token of the role view', async () => {
    const {stdout} = await place.vitrine(['token', '--role', 'view', '--data-dir', place.dataDir])
    const authorization = `Bearer ${stdout.trim()}`
    const refused = await hub.get('/api/runs/slow/records?find=result', {authorization})
    expect(refused.status).toBe(403)
    expect((await hub.get('/api/runs/slow/records?lines=1', {authorization})).status).toBe(200)
  })
})

describe('the dashboard', () => {
  test('is served with its files to logged-in clients', async () => {
    const page = await hub.get('/')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).toBe(
      readFileSync(new URL('../../dist/dashboard/index.html', import.meta.url), 'utf8'),
    )
    expect(await (await hub.get('/runs/7f3a')).text()).toBe(html)
    const [, script = ''] = /src="([^"]+\.js)"/.exec(html) ?? []
    const loaded = await hub.get(script)
    expect(loaded.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(loaded.headers.get('cache-control')).toContain('immutable')
    expect(loaded.headers.get('content-encoding')).toBe('gzip')
  })

  test('serves no other files and nothing without a token', async () => {
    for (const path of [
      '/assets/nothing.js',
      '/assets/..%2findex.html',
      '/assets/%2e%2e%2f%2e%2e%2fcli%2fbin.js',
      '/index.html',
    ]) {
      expect((await hub.get(path)).status).toBe(404)
    }
    const unauthenticated = await fetch(`${hub.url}/`)
    expect(unauthenticated.status).toBe(401)
    expect(await unauthenticated.text()).toContain('vitrine login')
    expect((await fetch(`${hub.url}/favicon.svg`)).status).toBe(401)
  })
})
