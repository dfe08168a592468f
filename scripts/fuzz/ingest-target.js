// Messages of runners to a running hub. It never writes outside the runs of the runner.

import assert from 'node:assert/strict'
import {readdirSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {WebSocket} from 'ws'
import {encodeFrames} from '../../dist/hub/ingest/protocol.js'
import {mutateFrames, packFrames, unpackFrames} from './frames.js'
import {mutateBytes, mutateJson} from './mutate.js'
import {createRunRecord, createRunResult} from '../../test/support/run-record.js'
import {openTestHub, SUPERVISION} from './test-hub.js'

/** @typedef {import('./campaign.js').Target} Target */

const bytes = Buffer.from('{"type":"system","subtype":"init","session_id":"s"}\n')
const frames = encodeFrames([
  {key: 1, file: 'out', offset: 0, bytes},
  {
    key: 1,
    file: 'timing',
    offset: 0,
    bytes: Buffer.from(`[1700000001000,"out",${bytes.length}]\n`),
  },
])
const record = createRunRecord('guest', {host: 'far', ...SUPERVISION})
const ended = {...record, endedAt: 1_700_000_060_000, result: createRunResult('guest')}
const offer = JSON.stringify({type: 'offer', key: 1, record})
const end = JSON.stringify({type: 'record', key: 1, version: 1, record: ended})
const outcome = JSON.stringify({type: 'outcome', id: 1, outcome: {ok: true}})
const taken = offer.replaceAll('guest', 'over')
const outside = offer.replaceAll('guest', '../../outside')

/** @type {import('./test-hub.js').TestHub} */
let hub
/** The files of the local recordings before the first input. @type {Map<string, Buffer>} */
let before = new Map()

/** @type {Target} */
export const ingestTarget = {
  name: 'ingest',
  share: 1,
  batch: 4,
  async open() {
    hub = await openTestHub()
    before = readLocal()
  },
  close: () => hub.close(),
  seeds: () => [
    {label: 'runner', bytes: packFrames([offer, frames, end, outcome])},
    {label: 'runner', bytes: packFrames([taken, frames, end])},
    {label: 'runner', bytes: packFrames([outside, frames])},
  ],
  mutate: (input, other, random) => ({
    label: input.label,
    bytes: mutateFrames(input.bytes, other.bytes, random, (frame, from) => {
      const isText = frame.toString().startsWith('{')
      return isText && random.chance(0.9)
        ? Buffer.from(mutateJson(frame.toString(), from.toString(), random))
        : mutateBytes(frame, from, random)
    }),
  }),
  async check({bytes: packed}, random) {
    const runner = await hub.connect('/ingest')
    for (const frame of unpackFrames(packed)) {
      if (runner.socket.readyState === WebSocket.OPEN) runner.socket.send(frame)
    }
    // The reply to an offer, even an invalid one, comes after everything before it was processed.
    const key = 4_000_000_000
    runner.socket.send(JSON.stringify({type: 'offer', key, record: null}))
    await runner.receives((message) => message.key === key)
    runner.socket.close()
    assert.deepEqual(readdirSync(hub.folder), ['data'], 'a file outside the data folder')
    const names = readdirSync(hub.dataDir).filter((name) => !HUB_FILES.test(name))
    assert.deepEqual(names, [], 'a file outside the runs')
    if (random.chance(0.1)) await checkOthers()
    assert.deepEqual(hub.problems.splice(0), [])
  },
}

const HUB_FILES = /^(?:runs|token|(?:index|search)\.db.*|history\.bin|hub.*|lock.*|\..*)$/

async function checkOthers() {
  const now = readLocal()
  for (const [path, content] of before)
    assert(now.get(path)?.equals(content), `${path} was modified`)
  const {runs} = await hub.json('/api/runs?limit=500')
  const names = runs.map((/** @type {{runId: string}} */ run) => run.runId)
  assert(names.includes('over') && names.includes('left'), 'a run is missing')
  for (const runId of names) await hub.json(`/api/runs/${runId}`)
  const guests = readdirSync(join(hub.dataDir, 'runs')).filter((name) => !LOCAL.includes(name))
  if (guests.length < 50) return
  for (const name of guests) rmSync(join(hub.dataDir, 'runs', name), {recursive: true, force: true})
}

const LOCAL = ['over', 'left']

function readLocal() {
  /** @type {Map<string, Buffer>} */
  const files = new Map()
  for (const name of LOCAL) {
    const dir = join(hub.dataDir, 'runs', name)
    for (const file of readdirSync(dir)) files.set(join(dir, file), readFileSync(join(dir, file)))
  }
  return files
}
