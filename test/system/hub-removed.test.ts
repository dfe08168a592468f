import {cpSync, mkdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startHub, type Client, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
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

const isRemoval = ({type}: ReceivedMessage) => type === 'run_removed'
const order = ['--work-order', 'wo-1', '--no-hub', '--format', 'quiet']

async function record(runId: string): Promise<void> {
  await place.runFake('happy', ['--id', runId, ...order])
  await until(async () => (await hub.get(`/api/runs/${runId}`)).status === 200)
}

async function follow(...wishes: object[]): Promise<Client> {
  const client = await hub.connect()
  for (const wish of wishes) client.send({type: 'subscribe', ...wish})
  await until(
    () => client.received.filter(({type}) => type === 'subscribed').length === wishes.length,
  )
  return client
}

describe('a recording that is removed', () => {
  test('is published once to each subscriber of the run, of its work order or of all runs', async () => {
    await record('gone')
    const clients = await Promise.all([
      follow({}),
      follow({workOrderId: 'wo-1'}),
      follow({runId: 'gone'}),
      follow({}, {workOrderId: 'wo-1'}, {runId: 'gone', since: 0}),
    ])
    const unrelated = await follow({workOrderId: 'wo-2'}, {runId: 'another'})
    rmSync(place.dirOf('gone'), {recursive: true})
    for (const client of clients) {
      expect(await client.receives(isRemoval)).toEqual({
        type: 'run_removed',
        runId: 'gone',
        workOrderId: 'wo-1',
      })
    }
    expect((await hub.get('/api/runs/gone')).status).toBe(404)
    for (const client of [...clients, unrelated]) {
      client.send({type: 'ping'})
      await client.receives(({type}) => type === 'pong')
      expect(client.received.filter(isRemoval)).toHaveLength(client === unrelated ? 0 : 1)
      client.close()
    }
  })

  test('is published when it was recorded before the hub started', async () => {
    await record('old')
    await hub.stop()
    hub = await startHub(place)
    await until(async () => (await hub.get('/api/runs/old')).status === 200)
    const client = await follow({workOrderId: 'wo-1'})
    rmSync(place.dirOf('old'), {recursive: true})
    expect(await client.receives(isRemoval)).toMatchObject({runId: 'old', workOrderId: 'wo-1'})
    client.close()
  })

  test('ends the stream and the view of a live run', async () => {
    const run = place.startFake('hangs', ['--id', 'live', ...order])
    await until(async () => (await hub.get('/api/runs/live')).status === 200)
    const stream = await hub.get('/api/runs/live/stream')
    const client = await hub.connect()
    client.send({type: 'watch_run', runId: 'live', ref: 'look'})
    await client.receives(({type}) => type === 'run_items')
    // Its supervisor still writes to it, so it is moved in one step instead of being deleted file by file.
    renameSync(place.dirOf('live'), place.file('aside'))
    expect(await stream.text()).toMatch(
      /event: run_removed\ndata: \{[^\n]*"runId":"live"[^\n]*\}\n\n$/,
    )
    expect(await client.receives(({ref}) => ref === 'look')).toMatchObject({
      type: 'error',
      code: 'no-such-run',
    })
    client.close()
    run.child.kill('SIGKILL')
    await run.ended
  })
})

test('a view of a run that the hub has not listed yet waits instead of failing', async () => {
  await record('first')
  await hub.stop()
  for (let number = 0; number < 300; number++) {
    // The record is all that the hub needs to list a run.
    mkdirSync(place.dirOf(`copy-${number}`))
    cpSync(join(place.dirOf('first'), 'run.json'), join(place.dirOf(`copy-${number}`), 'run.json'))
  }
  rmSync(join(place.dataDir, 'index.db'))
  hub = await startHub(place)
  const client = await hub.connect()
  client.send({type: 'watch_run', runId: 'first', ref: 'look'})
  const answer = await client.receives(({type, ref}) => type === 'run_items' || ref === 'look')
  expect(answer).toMatchObject({type: 'run_items', runId: 'first'})
  client.close()
})

test('a hub stops with a message when its data directory is removed', async () => {
  const other = createPlace()
  const running = other.start(['serve', '--data-dir', other.dataDir, '--json', '--port', '0'])
  await running.prints('}\n')
  rmSync(other.dataDir, {recursive: true, force: true})
  const {exitCode, stderr} = await running.ended
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`the data directory ${other.dataDir} was removed`)
  other.clear()
})
