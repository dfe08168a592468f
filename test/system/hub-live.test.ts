import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {
  commandUntilEnded,
  history,
  startHub,
  type ReceivedMessage,
  type RunningHub,
} from '../support/hub.ts'
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

/** A folder in which only one agent works. */
function workFolder(name: string): string {
  const folder = place.file(name)
  mkdirSync(folder)
  return folder
}

test('a new run is published from its first message to its last', async () => {
  const client = await hub.connect()
  client.send({type: 'subscribe'})
  await client.receives(({type}) => type === 'subscribed')
  const copy = place.file('happy.copy')
  const {exitCode} = await place.runFake('happy', ['--id', 'happy', '--format', 'quiet'], {
    cwd: workFolder('happy'),
    env: {COPY: copy},
  })
  expect(exitCode).toBe(0)
  await client.receives(({type}) => type === 'run_ended')
  expect(history(client.received).map(({type, seq, runId}) => [type, seq, runId])).toEqual([
    ['run_started', 1, 'happy'],
    ['agent_output', 2, 'happy'],
    ['agent_tool_call', 3, 'happy'],
    ['agent_tool_result', 4, 'happy'],
    ['agent_output', 5, 'happy'],
    ['run_ended', 6, 'happy'],
  ])
  await client.receives(({type, percentage}) => type === 'progress_update' && percentage === 100)
  client.close()

  const raw = await hub.get('/api/runs/happy/raw')
  expect(Buffer.from(await raw.arrayBuffer())).toEqual(readFileSync(copy))
  const later = await hub.connect()
  later.send({type: 'subscribe', runId: 'happy', since: 0})
  await later.receives(({type}) => type === 'run_updated')
  expect(history(later.received)).toEqual(history(client.received))
  later.close()
  await until(async () => (await hub.json('/api/runs/happy'))['lastSeq'] === 6)
})

test('progress is estimated from the duration of earlier runs of the same work order', async () => {
  const order = ['--work-order', 'order', '--format', 'quiet']
  const earlier = createPlace()
  await earlier.runFake('happy', ['--id', 'first', '--no-hub', ...order])
  const record = earlier.readRun('first') as {endedAt: number; result: {durationMs: number}}
  // It took a minute, so that the next run is far from its end.
  record.endedAt += 60_000
  record.result.durationMs += 60_000
  writeFileSync(join(earlier.dirOf('first'), 'run.json'), JSON.stringify(record))
  cpSync(earlier.dirOf('first'), place.dirOf('first'), {recursive: true})
  earlier.clear()
  const isListed = async () => {
    const {total} = await hub.json('/api/runs?workOrderId=order&state=over&verdict=succeeded')
    return total === 1
  }
  await until(isListed)
  const client = await hub.connect()
  const runId = 'second'
  client.send({type: 'subscribe', runId, since: 0})
  // It waits for an answer until its progress has been published.
  const run = place.startFake('asks', ['--id', runId, '--permissions', 'ask', ...order], {
    cwd: place.file('happy'),
    agentArgs: ['-p', 'Do it'],
  })
  const isEstimate = (message: ReceivedMessage) =>
    message.type === 'progress_update' &&
    Number(message['percentage']) < 100 &&
    'estimatedRemainingSeconds' in message
  expect(Number((await client.receives(isEstimate))['estimatedRemainingSeconds'])).toBeGreaterThan(
    0,
  )
  await client.receives(({type}) => type === 'permission_request')
  const requestId = 'request-1'
  await commandUntilEnded(client, {type: 'answer_permission', runId, requestId, allow: true})
  await client.receives(({percentage}) => percentage === 100)
  await run.ended
  const updates = client.received.filter(({type}) => type === 'progress_update')
  const percentages = updates.map(({percentage}) => Number(percentage))
  expect(percentages).toEqual(percentages.toSorted((one, other) => one - other))
  expect(percentages.filter((percentage) => percentage === 100)).toHaveLength(1)
  client.close()
})
