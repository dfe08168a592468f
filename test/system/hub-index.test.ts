import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startHub, type ReceivedMessage, type RunningHub} from '../support/hub.ts'
import {createPlace, modeOf, until} from '../support/run.ts'

const place = createPlace()
const index = join(place.dataDir, 'index.db')
const runIds = ['happy', 'failed', 'writes', 'many', 'plain']
let events: Record<string, ReceivedMessage[]>
let hub: RunningHub

beforeAll(async () => {
  hub = await startHub(place)
  const optionsOf = (id: string) => {
    // Each run has its own folder, so that it records no file changes of the others.
    mkdirSync(place.file(id))
    return {cwd: place.file(id), env: {COUNT: '3000', RATE: '1000000'}}
  }
  const start = (id: string, name: string) =>
    place.runFake(name, ['--id', id, '--format', 'quiet'], optionsOf(id))
  const plain = ['run', '--data-dir', place.dataDir, '--id', 'plain', '--format', 'quiet', '--']
  await Promise.all([
    start('happy', 'happy'),
    start('failed', 'error-success'),
    start('writes', 'writes'),
    start('many', 'many'),
    place.start([...plain, 'echo', 'a needle in a haystack'], optionsOf('plain')).ended,
  ])
  events = await readAll()
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

/** All events of all runs, once the hub has indexed the end of each. */
async function readAll(): Promise<Record<string, ReceivedMessage[]>> {
  const all: Record<string, ReceivedMessage[]> = {}
  for (const runId of runIds) {
    await until(async () => {
      const {status} = await hub.get(`/api/runs/${runId}`)
      if (status !== 200) return false
      const page = await hub.json(`/api/runs/${runId}/events?types=run_ended`)
      return (page['events'] as ReceivedMessage[]).length === 1
    })
    all[runId] = (await hub.json(`/api/runs/${runId}/events?limit=5000`))[
      'events'
    ] as ReceivedMessage[]
  }
  return all
}

async function findRuns(words: string): Promise<string[]> {
  const {hits} = (await hub.json(`/api/search?q=${words}`)) as {hits: {runId: string}[]}
  return hits.map(({runId}) => runId)
}

test('the index, the token and hub.json are private', () => {
  expect(modeOf(index)).toBe('600')
  expect(modeOf(join(place.dataDir, 'token'))).toBe('600')
  expect(modeOf(join(place.dataDir, 'hub.json'))).toBe('600')
})

describe('the index', () => {
  test.each<[string, () => void, string]>([
    ['was deleted', () => rmSync(index), ''],
    ['is empty', () => truncateSync(index), ''],
    ['is not a database', () => writeFileSync(index, 'What index? '.repeat(1000)), 'index'],
    [
      'was made by an older version',
      () => {
        const bytes = readFileSync(index)
        // The user version in the header of the file.
        bytes.writeUInt32BE(4, 60)
        writeFileSync(index, bytes)
      },
      'its schema version is 4',
    ],
    ['is truncated', () => truncateSync(index, Math.floor(statSync(index).size / 2)), 'index'],
    [
      'is damaged in the middle',
      () => {
        const bytes = readFileSync(index)
        for (let at = 4096; at < bytes.length; at += 97) bytes[at] = (bytes[at] ?? 0) ^ 0x5a
        writeFileSync(index, bytes)
      },
      'index',
    ],
  ])(
    'is rebuilt with the same messages and sequence numbers when it %s',
    async (_name, spoil, expectedError) => {
      await hub.stop()
      for (const suffix of ['-wal', '-shm']) rmSync(index + suffix, {force: true})
      spoil()
      const errors: string[] = []
      hub = await startHub(place, [], {}, (text) => errors.push(text))
      expect(await readAll()).toEqual(events)
      // Messages become searchable in the background.
      await expect.poll(() => findRuns('needle'), {interval: 20}).toEqual(['plain', 'plain'])
      expect(errors.join('')).toContain(expectedError)
    },
  )
})

test('`vitrine reindex` rebuilds the index with the same messages and sequence numbers', async () => {
  await hub.stop()
  const {exitCode, stdout, stderr} = await place.vitrine(['reindex'])
  const count = Object.values(events).reduce((sum, list) => sum + list.length, 0)
  expect({exitCode, stdout, stderr}).toEqual({
    exitCode: 0,
    stdout: `5 runs, ${count.toLocaleString('en')} messages\n`,
    stderr: '',
  })
  hub = await startHub(place)
  expect(await readAll()).toEqual(events)
})

test('a hub removes its hub.json when it ends, and the next one lists all runs at once', async () => {
  await hub.stop()
  expect(existsSync(join(place.dataDir, 'hub.json'))).toBe(false)
  hub = await startHub(place)
  const {runs, total, indexing} = await hub.json('/api/runs')
  expect({total, indexing, count: (runs as unknown[]).length}).toEqual({
    total: 5,
    indexing: 0,
    count: 5,
  })
})
