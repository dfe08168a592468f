import {createHash} from 'node:crypto'
import {appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {toProcessId} from '../../src/recording/process-id.ts'
import {recordHook} from '../../src/hooks/record-hook.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, until, type Place} from '../support/run.ts'

let place: Place
let hub: RunningHub

beforeEach(async () => {
  place = createPlace()
  hub = await startHub(place)
})

afterEach(async () => {
  await hub.stop()
  await place.clear()
})

const SESSION = '0123abcd-0000-4000-8000-000000000000'

function post(body: string | Uint8Array): Promise<Response> {
  const headers = {authorization: `Bearer ${hub.token}`, 'content-type': 'application/json'}
  return fetch(`${hub.url}/api/hooks`, {method: 'POST', headers, body})
}

test('every payload that a hook posts is published, not only the first', async () => {
  const send = async (name: string, fields: object = {}) => {
    const body = JSON.stringify({session_id: SESSION, cwd: '/p', hook_event_name: name, ...fields})
    expect((await post(body)).status).toBe(202)
  }
  const events = async () => {
    const {runs} = (await hub.json('/api/runs')) as {runs: {runId: string}[]}
    if (runs[0] === undefined) return []
    const response = await hub.get(`/api/runs/${runs[0].runId}/events`)
    if (!response.ok) return []
    const {events: found} = (await response.json()) as {events: {type: string}[]}
    return found.map(({type}) => type)
  }
  await send('SessionStart', {source: 'startup'})
  await until(async () => (await events()).length > 0)
  await send('UserPromptSubmit', {prompt: 'Fix it'})
  const tool = {tool_name: 'Bash', tool_input: {command: 'ls'}, tool_use_id: 't1'}
  await send('PreToolUse', tool)
  await until(async () => (await events()).includes('agent_tool_call'))
  await send('SessionEnd', {reason: 'other'})
  await until(async () => (await events()).includes('run_ended'))
})

test('records a payload as it was posted, digit by digit', async () => {
  const payload = `{"session_id":"${SESSION}","hook_event_name":"X", "n":12345678901234567890, "m":1.10}`
  const response = await post(payload)
  const {runId} = (await response.json()) as {runId: string}
  expect(place.read(runId, 'stdout').toString()).toBe(`${payload}\n`)
})

const DEEP = `{"session_id":"s","hook_event_name":"X","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`

test.each<[body: string | Uint8Array, code: string]>([
  ['', 'bad-json'],
  ['{', 'bad-json'],
  ['{"a": "\u0000"}', 'bad-json'],
  [Uint8Array.of(0x22, 0xff, 0x22), 'bad-json'],
  ['{"session_id":"s"}', 'bad-body'],
  [DEEP, 'bad-body'],
])('refuses a body that can never be recorded with 400 (%#)', async (body, code) => {
  const response = await post(body)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({error: {code}})
})

test('answers 503 when a payload cannot be written now', async () => {
  mkdirSync(place.dataDir, {recursive: true})
  writeFileSync(join(place.dataDir, 'sessions'), 'a file in the way')
  const response = await post(`{"session_id":"${SESSION}","hook_event_name":"Stop"}`)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('10')
  expect(await response.json()).toMatchObject({error: {code: 'cannot-record'}})
})

test('answers others while a live process holds the lock of a session', async () => {
  const runs = join(place.dataDir, 'runs')
  mkdirSync(runs, {recursive: true})
  const digest = createHash('sha256').update(SESSION).digest('hex')
  writeFileSync(
    join(runs, `.hooks-${digest.slice(0, 16)}`),
    JSON.stringify(toProcessId(process.pid)),
  )
  const settled: string[] = []
  const payload = (session: string, name: string) =>
    `{"session_id":"${session}","hook_event_name":"${name}"}`
  const locked = ['SessionStart', 'Stop'].map((name) =>
    post(payload(SESSION, name)).then(({status}) => settled.push(`${name} ${status}`)),
  )
  expect((await hub.get('/healthz')).status).toBe(200)
  expect((await post(payload('other', 'Stop'))).status).toBe(202)
  expect(settled).toEqual([])
  await Promise.all(locked)
  expect(settled).toEqual(['SessionStart 202', 'Stop 202'])
  const recorded = readdirSync(runs)
    .filter((name) => !name.startsWith('.'))
    .map(
      (name) =>
        readFileSync(join(runs, name, 'stdout'), 'utf8')
          .trimEnd()
          .split('\n').length,
    )
  expect(recorded.toSorted()).toEqual([1, 2])
})

test('shows events that only the transcript of a local session contains', async () => {
  const transcript_path = place.file('transcript.jsonl')
  const hook = (name: string, fields: object = {}) =>
    recordHook(
      JSON.stringify({session_id: SESSION, transcript_path, hook_event_name: name, ...fields}),
      {dataDir: place.dataDir, process: toProcessId(process.pid)},
    )
  const stateOf = async () => {
    const {runs} = (await hub.json('/api/runs')) as {
      runs: {state: string; waiting?: {why: string}; tokens: {output: number} | null}[]
    }
    return `${runs[0]?.state} ${runs[0]?.waiting?.why} ${runs[0]?.tokens?.output}`
  }
  const write = (row: object) => appendFileSync(transcript_path, `${JSON.stringify(row)}\n`)
  await hook('SessionStart', {source: 'startup'})
  await until(async () => (await stateOf()) === 'idle idle undefined')
  await hook('UserPromptSubmit', {prompt: 'Fix it'})
  const usage = {input_tokens: 1, output_tokens: 7}
  write({type: 'assistant', requestId: 'r', message: {id: 'm', model: 'x', usage, content: []}})
  await until(async () => (await stateOf()) === 'working thinking 7')
  write({type: 'user', message: {content: '[Request interrupted by user]'}})
  await until(async () => (await stateOf()).startsWith('idle'))
  expect(await stateOf()).toBe('idle idle 7')
})
