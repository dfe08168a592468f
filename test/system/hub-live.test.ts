import {mkdirSync, readFileSync} from 'node:fs'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {history, startHub, type Heard, type RunningHub} from '../support/hub.ts'
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

/** A folder for an agent to work in, where nobody else writes. */
function workFolder(name: string): string {
  const folder = place.file(name)
  mkdirSync(folder)
  return folder
}

test('a run that begins is told from its first message to its last', async () => {
  const client = await hub.connect()
  client.say({type: 'subscribe'})
  await client.hears(({type}) => type === 'subscribed')
  const copy = place.file('happy.copy')
  const {exitCode} = await place.runFake('happy', ['--id', 'happy', '--format', 'quiet'], {
    cwd: workFolder('happy'),
    env: {COPY: copy},
  })
  expect(exitCode).toBe(0)
  await client.hears(({type}) => type === 'run_ended')
  expect(history(client.heard).map(({type, seq, runId}) => [type, seq, runId])).toEqual([
    ['run_started', 1, 'happy'],
    ['agent_output', 2, 'happy'],
    ['agent_tool_call', 3, 'happy'],
    ['agent_tool_result', 4, 'happy'],
    ['agent_output', 5, 'happy'],
    ['run_ended', 6, 'happy'],
  ])
  await client.hears(({type, percentage}) => type === 'progress_update' && percentage === 100)
  client.close()

  const raw = await hub.get('/api/runs/happy/raw')
  expect(Buffer.from(await raw.arrayBuffer())).toEqual(readFileSync(copy))
  const later = await hub.connect()
  later.say({type: 'subscribe', runId: 'happy', since: 0})
  await later.hears(({type}) => type === 'run_updated')
  expect(history(later.heard)).toEqual(history(client.heard))
  later.close()
  await until(async () => (await hub.json('/api/runs/happy'))['lastSeq'] === 6)
})

test('how far a run is, is measured by earlier ones of the same work', async () => {
  const start = (id: string) =>
    place.runFake('many', ['--id', id, '--work-order', 'order', '--format', 'quiet'], {
      cwd: place.file('happy'),
      env: {COUNT: '30', RATE: '10'},
    })
  await start('first')
  const client = await hub.connect()
  client.say({type: 'subscribe', runId: 'second', since: 0})
  await start('second')
  await client.hears(({type}) => type === 'run_ended')
  const told = client.heard.filter(({type}) => type === 'progress_update')
  const isEstimate = (message: Heard) =>
    Number(message['percentage']) < 100 && 'estimatedRemainingSeconds' in message
  expect(told.some(isEstimate)).toBe(true)
  const percentages = told.map(({percentage}) => Number(percentage))
  expect(percentages).toEqual(percentages.toSorted((one, other) => one - other))
  expect(percentages.filter((percentage) => percentage === 100)).toHaveLength(1)
  client.close()
})
