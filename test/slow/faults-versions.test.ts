import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

let place: Place
let hub: RunningHub

/** Changes to a record that another version would have made, and the files that it would not have written. */
const versions: Record<
  string,
  {change: (record: Record<string, unknown>) => Record<string, unknown>; without?: string[]}
> = {
  'no-version': {change: ({version: _version, ...record}) => record},
  older: {
    change({sizes: _sizes, isWatched: _isWatched, limits: _limits, ranArgv: _argv, ...record}) {
      const {verdict, reason, costUsd} = record['result'] as Record<string, unknown>
      return {...record, version: 0, result: {verdict, reason, costUsd}}
    },
    without: ['timing.ndjson', 'answers.ndjson', 'files.ndjson', 'stdin'],
  },
  newer: {
    change: (record) => ({
      ...record,
      version: 7,
      sandbox: {kind: 'moon'},
      result: {...(record['result'] as object), verdict: 'paused', mood: 'good'},
    }),
  },
}

beforeAll(async () => {
  place = createPlace()
  for (const [id, {change, without = []}] of Object.entries(versions)) {
    await place.runFake('happy', ['--id', id, '--no-hub'])
    const path = join(place.dirOf(id), 'run.json')
    const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    writeFileSync(path, JSON.stringify(change(record)))
    for (const file of without) rmSync(join(place.dirOf(id), file), {force: true})
  }
  hub = await startHub(place)
})

afterAll(async () => {
  await hub.stop()
  place.clear()
})

describe.each(Object.keys(versions))('a recording of another version: %s', (id) => {
  test('is listed, as JSON and as a table', async () => {
    expect((await place.list()).map(({runId}) => runId)).toContain(id)
    const {exitCode, stdout} = await place.vitrine(['runs'])
    expect({exitCode, stdout}).toMatchObject({exitCode: 0, stdout: expect.stringContaining(id)})
  })

  test('is viewed, attached to and exported', async () => {
    const page = place.file(`${id}.html`)
    for (const args of [
      ['view', id],
      ['export', id, '--output', page],
    ]) {
      const {exitCode, stderr} = await place.vitrine(args)
      expect({exitCode, hasStack: /\n\s+at /.test(stderr)}).toEqual({exitCode: 0, hasStack: false})
    }
    const attached = await place.vitrine(['attach', id])
    expect(attached.stderr).toBe('')
    expect(attached.stdout).toContain('Read')
  })

  test('is indexed by the hub to its end', async () => {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId: id, since: 0})
    await client.receives(({type}) => type === 'run_ended')
    expect(client.received.map(({type}) => type)).toContain('agent_tool_call')
    client.close()
  })
})

test('a recording of a later version is marked in its verdict and evidence', async () => {
  const reason = 'unknown verdict paused: Last turn completed without errors'
  const listed = (await place.list()).find(({runId}) => runId === 'newer')
  expect(listed).toMatchObject({verdict: 'failed', reason})
  const {run} = (await hub.json('/api/runs/newer')) as {run: {evidence: string[]; reason: string}}
  expect(run.reason).toBe(reason)
  expect(run.evidence).toContain(
    'recorded by a later version of Vitrine: some of it cannot be shown',
  )
})
