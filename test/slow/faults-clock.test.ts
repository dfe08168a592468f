import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {readTiming} from '../../src/recording/timing.ts'
import {startHub} from '../support/hub.ts'
import {createPlace, lastVerdict, until, type Place} from '../support/run.ts'

const HOUR_MS = 3_600_000

let place: Place
let env: Record<string, string>

beforeAll(() => {
  place = createPlace()
  // Sets the clock of Vitrine back by an hour once the file exists.
  const flag = JSON.stringify(place.file('put-back'))
  writeFileSync(
    place.file('clock.mjs'),
    `import {existsSync} from 'node:fs'
    const now = Date.now
    if (process.argv[1]?.endsWith('bin.js')) Date.now = () => now() - (existsSync(${flag}) ? ${HOUR_MS} : 0)`,
  )
  env = {NODE_OPTIONS: `--import ${pathToFileURL(place.file('clock.mjs')).href}`}
})

afterAll(() => {
  place.clear()
})

test('a clock that is set back during a run neither makes recorded times decrease nor triggers a limit', async () => {
  const hub = await startHub(place, [], env)
  const client = await hub.connect()
  const limits = ['--timeout', '50m', '--silence', '50m', '--on-stuck', 'stop']
  const args = ['--id', 'back', '--format', 'json', ...limits]
  const {ended} = place.startFake('slow', args, {env: {...env, LINES: '40', MS: '25'}})
  await until(() => place.read('back', 'stdout').length > 3000)
  client.send({type: 'subscribe', runId: 'back', since: 0})
  writeFileSync(place.file('put-back'), '')
  const result = await ended
  expect(lastVerdict(result)).toMatchObject({verdict: 'succeeded'})

  const times = readTiming(join(place.dirOf('back'), 'timing.ndjson')).map(({at}) => at)
  expect(times.length).toBeGreaterThan(5)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  const record = JSON.parse(readFileSync(join(place.dirOf('back'), 'run.json'), 'utf8')) as {
    startedAt: number
    endedAt: number
    result: {durationMs: number}
  }
  expect(record.endedAt).toBeGreaterThan(times[0] ?? 0)
  expect(record.result.durationMs).toBeGreaterThan(0)
  expect(record.result.durationMs).toBeLessThan(HOUR_MS / 2)
  const [listed] = (await place.vitrine(['runs'], {env})).stdout.split('\n').slice(1)
  expect(listed).not.toContain('-1h')

  await client.receives(({type}) => type === 'run_ended')
  const stamps = client.received
    .filter(({type}) => type !== 'run_updated' && type !== 'progress_update')
    .flatMap(({timestamp}) => (typeof timestamp === 'string' ? [timestamp] : []))
  expect(stamps).toEqual(stamps.toSorted())
  for (const {elapsedSeconds, remainingMs} of client.received) {
    expect(Number(elapsedSeconds ?? 0)).toBeGreaterThanOrEqual(0)
    expect(Number(remainingMs ?? 0)).toBeGreaterThanOrEqual(0)
  }
  client.close()
  await hub.stop()
})

test('attach with an earlier clock continues the recorded times of a run', async () => {
  const {child, ended} = place.startFake('slow', ['--id', 'left'], {env: {LINES: '40', MS: '25'}})
  await until(() => place.read('left', 'timing.ndjson').length > 0)
  child.kill('SIGKILL')
  await ended
  // The clock is set back by an hour since the first test.
  const attached = await place.vitrine(['attach', 'left', '--format', 'json'], {env})
  expect(lastVerdict(attached)).toMatchObject({verdict: 'succeeded'})
  const times = readTiming(join(place.dirOf('left'), 'timing.ndjson')).map(({at}) => at)
  expect(times).toEqual(times.toSorted((one, other) => one - other))
  expect((place.readRun('left')['result'] as {durationMs: number}).durationMs).toBeGreaterThan(0)
})
