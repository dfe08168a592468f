import {mkdirSync, readFileSync} from 'node:fs'
import {afterAll, describe, expect, test, vi} from 'vitest'
import {
  history,
  startHub,
  type Client,
  type ReceivedMessage,
  type RunningHub,
} from '../support/hub.ts'
import {createPlace, readLines, sleep} from '../support/run.ts'

vi.setConfig({testTimeout: 180_000})

const place = createPlace()
const other = createPlace()
afterAll(() => {
  place.clear()
  other.clear()
})

/** Creates a working directory for an agent, apart from the recordings. */
function workFolder(name: string): string {
  const folder = place.file(name)
  mkdirSync(folder)
  return folder
}

/** Follows a run to its end, and resumes after each lost connection. */
async function followWith(
  connect: () => Promise<Client>,
  runId: string,
  interrupt: (client: Client, connections: number) => Promise<void>,
): Promise<{received: ReceivedMessage[]; connections: number}> {
  const received: ReceivedMessage[] = []
  for (let connections = 1; ; connections++) {
    const client = await connect().catch(() => undefined)
    if (client === undefined) {
      await sleep(20)
      continue
    }
    client.send({type: 'subscribe', runId, since: received.at(-1)?.seq ?? 0})
    const isOver = await Promise.race([
      client.receives(({type}) => type === 'run_ended').then(() => true),
      interrupt(client, connections).then(() => false),
      client.closed.then(() => false),
    ]).catch(() => false)
    client.socket.terminate()
    received.push(...history(client.received))
    if (isOver) return {received, connections}
  }
}

// A multiple of three, so that every tool has ended.
const count = 20_001
const expected = Array.from({length: count + 2}, (_, at) => at + 1)

test('a client that reconnects 200 times receives every message once and in order', async () => {
  const hub = await startHub(place)
  const copy = place.file('leaver.copy')
  const run = place.startFake('many', ['--id', 'leaver', '--format', 'quiet'], {
    cwd: workFolder('leaver'),
    env: {COUNT: String(count), RATE: '1500', COPY: copy},
  })
  const {received, connections} = await followWith(hub.connect, 'leaver', async (client, nth) => {
    // During history, between history and live messages, and during live messages.
    let left = Math.floor(Math.random() * 100)
    await new Promise<void>((resolve) => {
      client.socket.on('message', () => {
        if (nth > 200 || left-- > 0) return
        client.socket.terminate()
        resolve()
      })
    })
  })
  expect((await run.ended).exitCode).toBe(0)
  expect(received.map(({seq}) => seq)).toEqual(expected)
  expect(connections).toBe(201)
  await expectAll(hub, 'leaver', received, copy)
  await hub.stop()
  await place.expectNoSurvivors()
})

describe('a hub that is killed 20 times under load', () => {
  test.each([
    ['reads local recordings', []],
    ['receives a run from another machine', ['--hub']],
  ])('%s and publishes every message once and in order', async (_name, flags) => {
    let hub = await startHub(place)
    const {port, token} = hub
    const isRemote = flags.length > 0
    const runId = isRemote ? 'remote' : 'local'
    const copy = place.file(`${runId}.copy`)
    const home = isRemote ? other : place
    const args = ['--id', runId, '--format', 'quiet', ...(isRemote ? ['--hub', hub.url] : [])]
    const run = home.startFake('many', args, {
      cwd: workFolder(runId),
      env: {COUNT: String(count), RATE: '1000', COPY: copy, VITRINE_TOKEN: token},
    })
    const following = followWith(
      () => hub.connect(),
      runId,
      () => new Promise(() => {}),
    )
    for (let kills = 0; kills < 20; kills++) {
      await sleep(100 + Math.random() * 500)
      await hub.kill()
      hub = await startHub(place, ['--port', String(port)])
    }
    const {exitCode, stderr} = await run.ended
    expect(exitCode).toBe(0)
    // If the hub was down when the run ended, the run prints the command that sends the rest.
    if (stderr.includes('vitrine report')) {
      await other.vitrine(['report', runId, '--hub', hub.url], {env: {VITRINE_TOKEN: token}})
    }
    const {received} = await following
    expect(received.map(({seq}) => seq)).toEqual(expected)
    await expectAll(hub, runId, received, copy)
    await hub.stop()
    await place.expectNoSurvivors()
  })
})

/** Expects that the messages of the hub equal those of the client, and its bytes those of the agent. */
async function expectAll(
  hub: RunningHub,
  runId: string,
  received: ReceivedMessage[],
  copy: string,
) {
  const raw = await hub.get(`/api/runs/${runId}/raw`)
  expect(Buffer.compare(Buffer.from(await raw.arrayBuffer()), readFileSync(copy))).toBe(0)
  const stored: ReceivedMessage[] = []
  for (let since = 0; ;) {
    const page = await hub.json(`/api/runs/${runId}/events?since=${since}&limit=5000`)
    stored.push(...(page['events'] as ReceivedMessage[]))
    if (page['isEnd'] === true) break
    since = Number(page['next'])
  }
  expect(stored).toEqual(received)
  expect(readLines(readFileSync(copy, 'utf8'))).toHaveLength(count + 2)
}
