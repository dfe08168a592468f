import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, type ExpectStatic} from 'vitest'
import {hashFolder, listFiles} from '../support/hash-folder.ts'
import {
  history,
  startHub,
  type Client,
  type ReceivedMessage,
  type RunningHub,
} from '../support/hub.ts'
import {createPlace, placeTest as test, until, type Place} from '../support/run.ts'
import {copySessions, readTruth, sessionFolder} from '../support/transcripts.ts'

/** An entry of `/api/runs`. */
interface Listed {
  runId: string
  kind: string
  state: string
  agent: string
  title: string
  sessionId?: string
  tokens: {input: number; output: number} | null
}

const GREET = '8d72923b-837c-4288-b6e4-fc4264014c9f'
const SUB_AGENTS = '1fb1cbc2-d71a-4e9a-8ea7-a85a581f6b27'

function fileOf(place: Place, sessionId: string): string {
  const project = join(sessionFolder(place.folder, 'claude'), 'projects/-home-dev-project')
  return join(project, `${sessionId}.jsonl`)
}

async function list(hub: RunningHub): Promise<Listed[]> {
  const {runs} = (await hub.json('/api/runs?limit=500')) as {runs: Listed[]}
  return runs
}

/** The entry of a session, as soon as it is listed. */
async function find(
  hub: RunningHub,
  sessionId: string,
  isWanted: (entry: Listed) => boolean = () => true,
): Promise<Listed> {
  let found: Listed[] = []
  await until(async () => {
    found = (await list(hub)).filter((entry) => entry.sessionId === sessionId)
    return found.length === 1 && found.every(isWanted)
  })
  const [entry] = found
  if (entry === undefined) throw new Error(`${sessionId} is not listed`)
  return entry
}

async function readMessages(hub: RunningHub, runId: string): Promise<ReceivedMessage[]> {
  const all: ReceivedMessage[] = []
  for (;;) {
    const since = all.at(-1)?.seq ?? 0
    const page = await hub.json(`/api/runs/${runId}/events?since=${since}`)
    const events = page['events'] as ReceivedMessage[]
    all.push(...events)
    if (events.length === 0) return all
  }
}

/** How many lines of a session can be opened: those with an item in the index. */
async function countRecords(hub: RunningHub, runId: string): Promise<number> {
  const {records} = await hub.json(`/api/runs/${runId}/records?lines=1-1000`)
  return (records as unknown[]).length
}

/** Sets the time of every file, so that its session ended long ago. */
function age(folder: string): void {
  const yesterday = Date.now() / 1000 - 86_400
  for (const path of listFiles(folder)) utimesSync(path, yesterday, yesterday)
}

/** A minute of a day in the past. */
function timeOf(index: number): string {
  return new Date(Date.UTC(2026, 9, 1, 12, index)).toISOString()
}

/** A prompt and an answer of Claude Code, as rows of a session. */
function turn(sessionId: string, text: string): string {
  const timestamp = new Date().toISOString()
  const common = {sessionId, timestamp, cwd: '/home/dev/project', version: '2.1.325'}
  const id = `msg_${text.replaceAll(' ', '-')}`
  const usage = {input_tokens: 7, output_tokens: 3}
  const answer = {id, type: 'message', role: 'assistant', model: 'claude-opus-5-5', usage}
  return [
    {type: 'user', message: {role: 'user', content: `Ask: ${text}`}, uuid: `${id}-1`},
    {
      type: 'assistant',
      message: {...answer, content: [{type: 'text', text}], stop_reason: 'end_turn'},
      requestId: id,
      uuid: `${id}-2`,
    },
  ]
    .map((row) => `${JSON.stringify({...row, ...common})}\n`)
    .join('')
}

const isRows = (path: string) => path.endsWith('.jsonl')

/** Another answer of a sub-agent, as old as its last one. */
function toLateRow(folder: string): string {
  const rows = readFileSync(listFiles(folder).find(isRows) ?? '', 'utf8')
    .trimEnd()
    .split('\n')
  const last = JSON.parse(rows.findLast((row) => row.includes('"type":"assistant"')) ?? '') as {
    message: object
  }
  const content = [{type: 'text', text: 'a late answer'}]
  const message = {...last.message, id: 'msg_late', content}
  return `${JSON.stringify({...last, message, uuid: 'late', requestId: 'late'})}\n`
}

function countTexts(messages: readonly ReceivedMessage[], text: string): number {
  return textsOf(messages).split(text).length - 1
}

function textsOf(messages: readonly ReceivedMessage[]): string {
  return messages.map((message) => JSON.stringify(message)).join('\n')
}

/** Checks that messages are numbered from 1 without gaps and repetitions. */
function expectComplete(messages: readonly ReceivedMessage[], expect: ExpectStatic): void {
  const numbers = messages.filter(({type}) => type !== 'agent_thinking').map(({seq}) => seq)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
}

async function subscribe(hub: RunningHub, runId: string, since = 0): Promise<Client> {
  const client = await hub.connect()
  client.send({type: 'subscribe', runId, since})
  return client
}

const receivesText = (client: Client, text: string) =>
  client.receives((message) => JSON.stringify(message).includes(text))

describe.concurrent('sessions in a hub', () => {
  test('keeps the copy of an old session that was opened last', async ({place, expect}) => {
    const ids = Array.from({length: 53}, (_, index) => `00000000-0000-4000-8000-${1000 + index}`)
    mkdirSync(dirname(fileOf(place, '')), {recursive: true})
    for (const [index, id] of ids.entries()) {
      const rows = turn(id, `answer ${id}`).replaceAll(/2\d{3}-[^"]+Z/g, timeOf(index))
      writeFileSync(fileOf(place, id), rows)
    }
    age(place.folder)
    const hub = await startHub(place)
    try {
      const openSession = async (id: string) => countRecords(hub, (await find(hub, id)).runId)
      // The first one is the oldest.
      for (const id of ids.slice(1)) expect(await openSession(id)).toBe(2)
      const oldest = await find(hub, ids[0] ?? '')
      expect(await countRecords(hub, oldest.runId)).toBe(2)
      const copies = readdirSync(join(place.dataDir, 'transcripts'))
      expect(copies.length).toBe(50)
      expect(copies).toContain(oldest.runId)
    } finally {
      await hub.stop()
    }
  })

  test('sends sessions to a hub elsewhere, where they stay complete', async ({place, expect}) => {
    const other = createPlace()
    copySessions(place.folder, 'claude', 'codex')
    const before = hashFolder(place.folder)
    let hub = await startHub(other)
    try {
      const report = async (...args: string[]) => {
        const env = {VITRINE_TOKEN: hub.token}
        return place.vitrine(['report', ...args, '--hub', hub.url], {env})
      }
      const check = async (sessionId: string) => {
        const {requests, toolCalls} = truthOf(sessionId)
        const output = sum(requests.map((request) => request.output))
        // Its tokens are counted a moment after it was received.
        const entry = await find(
          hub,
          sessionId,
          ({state, tokens}) => state === 'over' && tokens?.output === output,
        )
        expect(entry).toMatchObject({kind: 'imported', agent: 'claude'})
        const messages = await readMessages(hub, entry.runId)
        expectComplete(messages, expect)
        expect(messages.filter(({type}) => type === 'agent_tool_call').length).toBe(toolCalls)
        return {messages, records: await countRecords(hub, entry.runId)}
      }
      expect(await report(GREET)).toMatchObject({
        exitCode: 0,
        stdout: '0 recordings and 1 session sent\n',
        stderr: '',
      })
      const first = await check(GREET)
      expect(first.records).toBeGreaterThan(20)
      expect((await report(GREET)).exitCode).toBe(0)
      expect(await check(GREET)).toEqual(first)
      const total = readTruth('claude').total.sessions + readTruth('codex').total.sessions
      expect(await report('--sessions')).toMatchObject({
        exitCode: 0,
        stdout: `0 recordings and ${total} sessions sent\n`,
      })
      await until(async () => {
        const entries = await list(hub)
        return entries.length === total && entries.every(({state}) => state === 'over')
      })
      const withSubAgents = await check(SUB_AGENTS)
      await hub.stop()
      hub = await startHub(other)
      await until(async () => (await list(hub)).length === total)
      for (const {kind, state} of await list(hub)) {
        expect({kind, state}).toEqual({kind: 'imported', state: 'over'})
      }
      expect(await check(GREET)).toEqual(first)
      expect(await check(SUB_AGENTS)).toEqual(withSubAgents)
    } finally {
      await hub.stop()
      other.clear()
    }
    expect(hashFolder(place.folder)).toMatchObject(before)
    expect(
      await place.vitrine(['report', 's00000000000', '--hub', 'http://127.0.0.1:9']),
    ).toMatchObject({
      exitCode: 2,
      stdout: '',
    })
  })

  test('neither loses nor repeats messages of live sessions over restarts', async ({
    place,
    expect,
  }) => {
    copySessions(place.folder, 'claude')
    const file = fileOf(place, SUB_AGENTS)
    const subAgent = join(dirname(file), SUB_AGENTS, 'subagents')
    const rows = readFileSync(file, 'utf8')
    // The sub-agents write their rows after those of the main conversation were read.
    renameSync(subAgent, `${subAgent}-later`)
    writeFileSync(file, rows)
    let hub = await startHub(place)
    try {
      const {runId} = await find(hub, SUB_AGENTS, ({state}) => state !== 'over')
      let client = await subscribe(hub, runId)
      await until(() => history(client.received).length > 5)
      renameSync(`${subAgent}-later`, subAgent)
      appendFileSync(file, turn(SUB_AGENTS, 'with sub-agents'))
      const count = history(client.received).length
      await until(() => history(client.received).length > count)
      appendFileSync(file, turn(SUB_AGENTS, 'before the restart'))
      await receivesText(client, 'before the restart')
      const seen = history(client.received)
      expectComplete(seen, expect)
      await hub.stop()

      appendFileSync(listFiles(subAgent).find(isRows) ?? '', toLateRow(subAgent))
      appendFileSync(file, turn(SUB_AGENTS, 'while no hub was running'))
      hub = await startHub(place)
      await find(hub, SUB_AGENTS, ({state}) => state !== 'over')
      client = await subscribe(hub, runId, seen.at(-1)?.seq ?? 0)
      await receivesText(client, 'while no hub was running')
      appendFileSync(file, turn(SUB_AGENTS, 'after the restart'))
      await receivesText(client, 'after the restart')
      const all = [...seen, ...history(client.received)]
      expectComplete(all, expect)
      const stored = await readMessages(hub, runId)
      expectComplete(stored, expect)
      const shown = (messages: readonly ReceivedMessage[]) =>
        messages.map(({type, seq}) => `${type} ${seq}`)
      expect(shown(stored)).toEqual(shown(all))
      // The rows of a sub-agent can be older than those that were read before.
      expect(textsOf(stored)).toContain('a late answer')
      expect(countTexts(stored, 'before the restart')).toBe(countTexts(seen, 'before the restart'))
    } finally {
      await hub.stop()
    }
  })

  test('serves ended sessions from the index, and follows resumed ones', async ({
    place,
    expect,
  }) => {
    copySessions(place.folder, 'claude')
    age(sessionFolder(place.folder, 'claude'))
    const before = hashFolder(sessionFolder(place.folder, 'claude'))
    let hub = await startHub(place)
    try {
      const {runId} = await find(hub, GREET, ({state}) => state === 'over')
      const first = await readMessages(hub, runId)
      expectComplete(first, expect)
      const copy = join(place.dataDir, 'transcripts', runId, 'stdout')
      const {mtimeMs} = statSync(copy)
      expect(await readMessages(hub, runId)).toEqual(first)
      await hub.stop()
      hub = await startHub(place)
      expect(await find(hub, GREET)).toMatchObject({kind: 'session', state: 'over'})
      expect(await readMessages(hub, runId)).toEqual(first)
      expect(statSync(copy).mtimeMs).toBe(mtimeMs)
      expect(hashFolder(sessionFolder(place.folder, 'claude'))).toEqual(before)

      const client = await subscribe(hub, runId, first.at(-1)?.seq ?? 0)
      appendFileSync(fileOf(place, GREET), turn(GREET, 'resumed a day later'))
      await receivesText(client, 'resumed a day later')
      await find(hub, GREET, ({state}) => state !== 'over')
      expectComplete([...first, ...history(client.received)], expect)
      const resumed = await readMessages(hub, runId)
      expectComplete(resumed, expect)
      age(sessionFolder(place.folder, 'claude'))
      await find(hub, GREET, ({state}) => state === 'over')
      expect(await readMessages(hub, runId)).toEqual(resumed)
    } finally {
      await hub.stop()
    }
  })

  test('shows the new content of rewritten sessions, and forgets deleted ones', async ({
    place,
    expect,
  }) => {
    copySessions(place.folder, 'claude')
    age(sessionFolder(place.folder, 'claude'))
    const [live, ended] = [fileOf(place, GREET), fileOf(place, SUB_AGENTS)]
    appendFileSync(live, turn(GREET, 'is live'))
    let hub = await startHub(place)
    try {
      const {runId} = await find(hub, GREET, ({state}) => state !== 'over')
      const endedId = (await find(hub, SUB_AGENTS)).runId
      const client = await subscribe(hub, runId)
      await receivesText(client, 'is live')
      expect(textsOf(await readMessages(hub, endedId))).not.toContain('replaced')
      // Truncated in place, and then written again.
      writeFileSync(live, turn(GREET, 'was rewritten'))
      await receivesText(client, 'was rewritten')
      await until(async () => {
        const messages = await readMessages(hub, runId)
        return textsOf(messages).includes('was rewritten') && !textsOf(messages).includes('is live')
      })
      expectComplete(await readMessages(hub, runId), expect)
      // Replaced by another file.
      writeFileSync(`${live}.new`, turn(GREET, 'first of another file') + turn(GREET, 'second'))
      renameSync(`${live}.new`, live)
      await receivesText(client, 'first of another file')
      const past = Date.now() / 1000 - 80_000
      writeFileSync(ended, turn(SUB_AGENTS, 'replaced'))
      utimesSync(ended, past, past)
      await until(async () => textsOf(await readMessages(hub, endedId)).includes('replaced'))

      // Rewritten while no hub is running.
      await hub.stop()
      writeFileSync(
        live,
        turn(GREET, 'while stopped') + turn(GREET, 'and more') + turn(GREET, 'third'),
      )
      hub = await startHub(place)
      await find(hub, GREET, ({state}) => state !== 'over')
      await until(async () => textsOf(await readMessages(hub, runId)).includes('third'))
      const messages = await readMessages(hub, runId)
      expect(textsOf(messages)).toContain('while stopped')
      expect(textsOf(messages)).not.toContain('another file')
      expectComplete(messages, expect)

      const watcher = await subscribe(hub, runId)
      rmSync(live)
      await watcher.receives(({type}) => type === 'run_removed')
      await until(async () => (await hub.get(`/api/runs/${runId}`)).status === 404)
      rmSync(ended)
      rmSync(join(dirname(ended), SUB_AGENTS), {recursive: true})
      await until(async () => (await list(hub)).every(({runId: id}) => id !== endedId))
      expect((await list(hub)).length).toBe(readTruth('claude').total.sessions - 2)
    } finally {
      await hub.stop()
    }
  })

  test('joins runs and hook recordings with their transcripts', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    age(sessionFolder(place.folder, 'claude'))
    const file = fileOf(place, GREET)
    const rows = readFileSync(file)
    rmSync(file)
    const hub = await startHub(place)
    try {
      const {total} = readTruth('claude')
      await until(async () => (await list(hub)).length === total.sessions - 1)
      const output = place.file('output.jsonl')
      const common = {session_id: GREET, uuid: 'u'}
      writeFileSync(
        output,
        [
          {type: 'system', subtype: 'init', model: 'claude-opus-5-5', tools: [], ...common},
          {type: 'result', subtype: 'success', is_error: false, result: 'Done.', ...common},
        ]
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      )
      await place.runFake('replay', ['--id', 'one'], {env: {STDOUT_FILE: output}})
      await find(hub, GREET, ({state}) => state === 'over')
      // The rest of the transcript is written after the end of the run.
      writeFileSync(file, rows)
      const {totals} = truthOf(GREET)
      const entry = await find(hub, GREET, ({tokens}) => tokens?.output === totals.output)
      expect(entry).toMatchObject({runId: 'one', kind: 'run'})

      const payload = {
        session_id: SUB_AGENTS,
        transcript_path: fileOf(place, SUB_AGENTS),
        cwd: '/home/dev/project',
        hook_event_name: 'SessionStart',
        source: 'resume',
      }
      const {exitCode} = await place.vitrine(['hook'], {input: JSON.stringify(payload)})
      expect(exitCode).toBe(0)
      const isHook = ({runId}: Listed) => !runId.startsWith('s')
      expect(await find(hub, SUB_AGENTS, isHook)).toMatchObject({kind: 'session'})
      expect((await list(hub)).length).toBe(total.sessions)
    } finally {
      await hub.stop()
    }
  })
})

function truthOf(sessionId: string) {
  const found = readTruth('claude').sessions.find(({sessionIds}) => sessionIds.includes(sessionId))
  if (found === undefined) throw new Error(`no truth of ${sessionId}`)
  return found
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
