import {appendFileSync, readFileSync, rmSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {hashFolder, listFiles} from '../support/hash-folder.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'
import {answerRow} from '../support/search.ts'
import {
  copySessions,
  readTruth,
  sessionFolder,
  type Truth,
  type TrueTokens,
} from '../support/transcripts.ts'

interface Run {
  runId: string
  kind: string
  agent: string
  title: string
  state: string
  sessionId?: string
  tokens: TrueTokens | null
}

interface Search {
  total: number
  entryCount: number
  indexing: number
  suggestion?: string
  entries: {
    runId: string
    agent: string
    title: string
    kind: string
    matches: number
    moments: {role: string; at: number; offsetMs: number; text: string; marks: number[][]}[]
  }[]
}

const AGENTS = ['claude', 'gemini', 'qwen', 'pi', 'kimi']
const GREET = '8d72923b-837c-4288-b6e4-fc4264014c9f'
const LIVE_MS = 300

const place = createPlace()
const claudeFolder = sessionFolder(place.folder, 'claude')
const greetFile = join(claudeFolder, 'projects/-home-dev-project', `${GREET}.jsonl`)
let hub: RunningHub
let before: Record<string, string>

beforeAll(async () => {
  copySessions(place.folder, ...AGENTS)
  const yesterday = Date.now() / 1000 - 86_400
  for (const agent of AGENTS) {
    for (const path of listFiles(sessionFolder(place.folder, agent))) {
      utimesSync(path, yesterday, yesterday)
    }
  }
  before = hashAgents()
  hub = await startHub(place)
})
afterAll(async () => {
  await hub.stop()
  place.clear()
})

function hashAgents(): Record<string, string> {
  return Object.assign(
    {},
    ...AGENTS.map((agent) => hashFolder(sessionFolder(place.folder, agent))),
  ) as Record<string, string>
}

async function listSessions(): Promise<Run[]> {
  return (await hub.json('/api/runs?limit=500&kind=session'))['runs'] as Run[]
}

async function search(query: string): Promise<Search> {
  return (await hub.json(`/api/history/search?${query}`)) as unknown as Search
}

async function whenSearchable(): Promise<void> {
  await until(async () => (await search('q=the')).indexing === 0, 50)
}

function sum(counts: readonly TrueTokens[], name: keyof TrueTokens): number {
  return counts.reduce((total, tokens) => total + tokens[name], 0)
}

test('lists the sessions of every agent with the tokens that were really used', async () => {
  const listed = await listSessions()
  expect(new Set(listed.map(({runId}) => runId)).size).toBe(listed.length)
  for (const agent of AGENTS) {
    const {sessions} = readTruth(agent)
    const ofAgent = listed.filter((run) => run.agent === agent)
    expect([agent, ofAgent.length]).toEqual([agent, sessions.length])
    for (const truth of sessions) expectTokens(ofAgent, truth)
  }
  for (const {kind, state} of listed) expect([kind, state]).toEqual(['session', 'over'])
})

function expectTokens(runs: readonly Run[], {sessionIds, requests, totals}: Truth): void {
  const run = runs.find(({sessionId = ''}) => sessionIds.includes(sessionId))
  const {input, output, cacheRead, cacheWrite} = totals
  const tokens = requests.length === 0 ? null : {input, output, cacheRead, cacheWrite}
  expect({id: run?.sessionId, tokens: run?.tokens && pickTokens(run.tokens)}).toEqual({
    id: run?.sessionId ?? sessionIds[0],
    tokens,
  })
}

function pickTokens({input, output, cacheRead, cacheWrite}: TrueTokens) {
  return {input, output, cacheRead, cacheWrite}
}

test('adds up usage as it really was', async () => {
  const report = await hub.json('/api/usage?by=agent&timezone=UTC')
  const rows = report['rows'] as {key: string; tokens: TrueTokens; requests: number}[]
  for (const agent of AGENTS) {
    const {total} = readTruth(agent)
    const row = rows.find(({key}) => key === agent)
    expect({agent, ...row?.tokens}).toMatchObject({
      agent,
      input: total.totals.input,
      output: total.totals.output,
      cacheRead: total.totals.cacheRead,
      cacheWrite: total.totals.cacheWrite,
    })
  }
  const {tokens} = report['total'] as {tokens: TrueTokens}
  const totals = AGENTS.map((agent) => readTruth(agent).total.totals)
  expect(tokens.output).toBe(sum(totals, 'output'))
})

test('opens a session with its items and messages', async () => {
  const run = (await listSessions()).find(({sessionId}) => sessionId === GREET)
  const {events} = (await hub.json(`/api/runs/${run?.runId}/events?limit=5000`)) as unknown as {
    events: {type: string}[]
  }
  expect(events[0]?.type).toBe('run_started')
  const types = new Set(events.map(({type}) => type))
  expect(types).toContain('agent_output')
  expect(types).toContain('agent_tool_call')
  const records = await hub.json(`/api/runs/${run?.runId}/records?lines=1-5`)
  expect(JSON.stringify(records)).toContain(GREET)
})

test('finds moments in sessions', async () => {
  await whenSearchable()
  const {total, entryCount, entries} = await search('q=greeter+good&limit=100')
  expect(entryCount).toBe(entries.length)
  expect(total).toBe(entries.reduce((count, {matches}) => count + matches, 0))
  expect(new Set(entries.map(({agent}) => agent)).size).toBeGreaterThan(2)
  const listed = new Set((await listSessions()).map(({runId}) => runId))
  for (const {runId, moments} of entries) {
    expect(listed).toContain(runId)
    for (const {text, marks} of moments) {
      for (const [start, end] of marks) expect(text.slice(start, end)).toMatch(/^(?:greeter|good)/i)
    }
  }
  const [claude, prompts, none, page] = await Promise.all([
    search('q=greeter&agent=claude&limit=100'),
    search('q=greeter&role=prompt&limit=100'),
    search('q=greeterr'),
    search('q=greeter+good&limit=1&offset=1'),
  ])
  expect(new Set(claude.entries.map(({agent}) => agent))).toEqual(new Set(['claude']))
  expect(prompts.entries.flatMap(({moments}) => moments).every(({role}) => role === 'prompt')).toBe(
    true,
  )
  expect(none).toMatchObject({total: 0, entries: [], suggestion: 'greeter'})
  expect(page.entries).toEqual(entries.slice(1, 2))
  expect((await hub.get('/api/history/search?q=x&role=nope')).status).toBe(400)
})

test('changes nothing in the folders of agents', () => {
  expect(hashAgents()).toEqual(before)
})

test('sends what a session adds at once, and finds it soon', async () => {
  const run = (await listSessions()).find(({sessionId}) => sessionId === GREET)
  const runId = run?.runId ?? ''
  const client = await hub.connect()
  client.send({type: 'subscribe', runId})
  // An old session becomes live with its first new record.
  appendFileSync(greetFile, rowOf('An answer to wake it'))
  await client.receives((message) => isText(message, 'An answer to wake it'))
  for (let index = 0; index < 3; index++) {
    const text = `Answer number ${index}`
    const start = performance.now()
    appendFileSync(greetFile, rowOf(text))
    await client.receives((message) => isText(message, text))
    expect(performance.now() - start).toBeLessThan(LIVE_MS)
  }
  client.close()
  await until(async () => (await search('q="answer+number+2"')).total === 1, 50)
  const {entries} = await search('q="answer+number+2"')
  expect(entries[0]).toMatchObject({runId, moments: [{role: 'reply', text: 'Answer number 2'}]})
})

function rowOf(text: string): string {
  const second = Math.round(performance.now() * 1000)
  const row = {...answerRow(second, text), timestamp: new Date().toISOString(), sessionId: GREET}
  return `${JSON.stringify(row)}\n`
}

function isText(message: Record<string, unknown>, text: string): boolean {
  return message['type'] === 'agent_output' && JSON.stringify(message).includes(text)
}

test('masks secrets in what it finds', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(24)}-AA`
  appendFileSync(greetFile, rowOf(`The keyword ${key} is secret`))
  await until(async () => (await search('q=keyword')).total === 1, 50)
  expect(JSON.stringify(await search('q=keyword'))).not.toContain('a1B2')
  expect((await search('q=a1B2a1B2')).total).toBe(0)
  expect(readFileSync(join(place.dataDir, 'search.db')).includes(key)).toBe(false)
})

test('a deleted session disappears from the list and from the search', async () => {
  const run = (await listSessions()).find(({sessionId}) => sessionId === GREET)
  rmSync(greetFile)
  await until(async () => !(await listSessions()).some(({runId}) => runId === run?.runId), 50)
  await until(async () => (await search('q="answer+number+2"')).total === 0, 50)
  expect((await hub.get(`/api/runs/${run?.runId}`)).status).toBe(404)
})

test('keeps the search after a restart', async () => {
  const found = await search('q=greeter+good&limit=100')
  await hub.stop()
  hub = await startHub(place)
  const again = await search('q=greeter+good&limit=100')
  expect(again.indexing).toBe(0)
  expect(again.entries).toEqual(found.entries)
})
