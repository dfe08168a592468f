import {cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {commandUntilEnded, history, startHub, type Client, type RunningHub} from '../support/hub.ts'
import {createPlace, lastVerdict, until, type Ended} from '../support/run.ts'

const place = createPlace()
/** Simulates another machine. */
const other = createPlace()
let hub: RunningHub
/** Runs that wait 5 s for a hub that rejects them, in parallel with earlier tests. */
let unreachable: Promise<Ended>
let unauthorized: Promise<Ended>

beforeAll(async () => {
  const toNoHub = ['--id', 'alone', '--hub', 'http://127.0.0.1:9', '--format', 'quiet']
  unreachable = other.runFake('happy', toNoHub)
  hub = await startHub(place)
  mkdirSync(place.file('work'))
  const args = ['--id', 'stranger', '--hub', hub.url, '--format', 'quiet']
  unauthorized = other.runFake('happy', args, {env: {VITRINE_TOKEN: 'wrong'}})
})
afterAll(async () => {
  await hub.stop()
  place.clear()
  other.clear()
})

const ask = ['--permissions', 'ask', '--format', 'json']
const prompted = {agentArgs: ['-p', 'Do it']}

describe.each([
  ['on this machine', false],
  ['on another machine', true],
])('a run %s', (_name, isRemote) => {
  const from = isRemote ? other : place
  const prefix = isRemote ? 'remote' : 'local'
  const start = (name: string, id: string, args: string[], options = {}) =>
    from.startFake(name, ['--id', id, ...(isRemote ? ['--hub', hub.url] : []), ...args], {
      cwd: place.file('work'),
      env: {VITRINE_TOKEN: hub.token},
      ...options,
    })

  async function follow(runId: string): Promise<Client> {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId, since: 0})
    return client
  }

  test('sends a permission request to subscribers and uses the first answer', async () => {
    const runId = `${prefix}-asks`
    const run = start('asks', runId, ask, prompted)
    const client = await follow(runId)
    const request = await client.receives(({type}) => type === 'permission_request')
    expect(request).toMatchObject({
      requestId: 'request-1',
      tool: 'Bash',
      input: {command: 'touch created', description: 'Touch'},
    })
    await client.receives(({type, run: seen}) => {
      const requests = (seen as {requests: unknown[]} | undefined)?.requests
      return type === 'run_updated' && requests?.length === 1
    })
    const answer = {type: 'answer_permission', runId, requestId: 'request-1'}
    client.send({...answer, allow: true, ref: 'first'})
    client.send({...answer, allow: false, message: 'no', ref: 'second'})
    expect(await client.receives(({ref}) => ref === 'second')).toMatchObject({
      type: 'error',
      code: 'no-such-request',
    })
    const ended = await run.ended
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    expect(ended.stdout).toContain('Outcome: allowed')
    await client.receives(({type}) => type === 'run_ended')
    expect(client.received.filter(({ref}) => ref === 'first')).toEqual([])
    client.close()
  })

  test('passes the answers to a question to the agent, and allows none without answers', async () => {
    const runId = `${prefix}-question`
    const questions = [{question: 'Which one?', options: [{label: 'This'}]}]
    const REQUESTS = JSON.stringify([['AskUserQuestion', {questions}]])
    const run = start('asks', runId, ask, {
      ...prompted,
      env: {VITRINE_TOKEN: hub.token, REQUESTS},
    })
    const client = await follow(runId)
    await client.receives(({type}) => type === 'permission_request')
    const answer = {type: 'answer_permission', runId, requestId: 'request-1', allow: true}
    client.send({...answer, ref: 'bare'})
    expect(await client.receives(({ref}) => ref === 'bare')).toMatchObject({
      code: 'bad-field',
      message: expect.stringContaining('expected 1 in answers, got none'),
    })
    client.send({...answer, answers: [['This']]})
    const {stdout} = await run.ended
    expect(stdout).toContain(String.raw`"output":"{\"Which one?\":\"This\"}"`)
    expect(lastVerdict(await run.ended)).toMatchObject({verdict: 'succeeded'})
    client.close()
  })

  test('passes the reason of a denial to the agent', async () => {
    const runId = `${prefix}-refused`
    const run = start('asks', runId, ask, prompted)
    const client = await follow(runId)
    await client.receives(({type}) => type === 'permission_request')
    const message = 'Not on a Sunday.'
    client.send({type: 'answer_permission', runId, requestId: 'request-1', allow: false, message})
    const {stdout} = await run.ended
    expect(stdout).toContain('Outcome: denied')
    expect(stdout).toContain(message)
    client.close()
  })

  test('is stopped from the dashboard', async () => {
    const runId = `${prefix}-stopped`
    // This agent runs until it is stopped.
    const run = start('tool-hangs', runId, ['--format', 'json'])
    const client = await follow(runId)
    await client.receives(({type}) => type === 'agent_tool_call')
    await commandUntilEnded(client, {type: 'stop_run', runId})
    expect(lastVerdict(await run.ended)).toMatchObject({
      verdict: 'stopped',
      reason: expect.stringContaining('from the dashboard'),
    })
    client.close()
  })
})

test('a run without a terminal refuses to ask for permission when there is no hub', async () => {
  const {exitCode, stderr} = await other.runFake('asks', ask, prompted)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('vitrine serve')
})

test('the hub takes over a run whose supervisor was killed, and can stop it', async () => {
  // This agent runs until it is stopped.
  const run = place.startFake('tool-hangs', ['--id', 'orphan', '--format', 'quiet'], {
    cwd: place.file('work'),
  })
  const client = await hub.connect()
  client.send({type: 'subscribe', runId: 'orphan', since: 0})
  await client.receives(({type}) => type === 'agent_tool_call')
  run.child.kill('SIGKILL')
  await run.ended
  const end = await commandUntilEnded(client, {type: 'stop_run', runId: 'orphan'})
  expect(end).toMatchObject({verdict: 'stopped'})
  const seqs = history(client.received).map(({seq}) => seq)
  expect(seqs).toEqual(seqs.map((_, at) => at + 1))
  client.close()
})

describe('a run with --hub', () => {
  test('continues without the hub, reports that once, and is sent later', async () => {
    const {exitCode, stderr} = await unreachable
    expect(exitCode).toBe(0)
    const lines = stderr.trim().split('\n')
    expect(lines).toEqual([
      'vitrine: 127.0.0.1:9 does not respond. Continuing; the recording is local',
      'vitrine: run alone was not sent completely. Send the rest with: vitrine report alone --hub http://127.0.0.1:9',
    ])
    // The hub refused the token of this run, so both recordings are unsent.
    await unauthorized
    const sent = await other.vitrine(['report', '--hub', hub.url], {
      env: {VITRINE_TOKEN: hub.token},
    })
    expect(sent).toMatchObject({exitCode: 0, stdout: '2 recordings sent\n'})
    await until(async () => (await hub.get('/api/runs/alone')).status === 200)
    const raw = await hub.get('/api/runs/alone/raw')
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(other.read('alone', 'stdout'))
    const again = await other.vitrine(['report', '--hub', hub.url], {
      env: {VITRINE_TOKEN: hub.token},
    })
    expect(again.stdout).toBe('0 recordings sent\n')
  })

  test('is not sent with a wrong token, and `vitrine report` fails at once', async () => {
    await other.runFake('happy', ['--id', 'kept', '--format', 'quiet'])
    const args = ['report', 'kept', '--hub', hub.url, '--timeout', '1h']
    const {exitCode, stderr} = await other.vitrine(args, {env: {VITRINE_TOKEN: 'wrong'}})
    expect(exitCode).toBe(1)
    expect(stderr).toContain('rejected the token. Set VITRINE_TOKEN to')
  })

  test('reports a token that the hub refuses', async () => {
    const {exitCode, stderr} = await unauthorized
    expect(exitCode).toBe(0)
    expect(stderr).toContain(
      'rejected the token. Set VITRINE_TOKEN to the token in <data-dir>/token',
    )
  })

  test('gets another id on the hub when its id is taken there', async () => {
    for (const from of [place, other]) {
      const remote = from === other ? ['--hub', hub.url] : []
      await from.runFake('happy', ['--id', 'twin', ...remote, '--format', 'quiet'], {
        env: {VITRINE_TOKEN: hub.token},
        cwd: place.file('work'),
      })
    }
    const findTwins = async () => {
      const {runs} = (await hub.json('/api/runs')) as {runs: {runId: string; host?: string}[]}
      return runs.filter(({runId}) => runId.startsWith('twin-'))
    }
    await until(async () => (await findTwins()).length > 0)
    expect(await findTwins()).toMatchObject([{host: expect.stringMatching(/./) as string}])
    expect((await hub.json('/api/runs/twin'))['run']).not.toHaveProperty('host')
  })
})

describe('the hub', () => {
  test('refuses a second hub, and `vitrine reindex`, on its data folder', async () => {
    const {exitCode, stdout, stderr} = await place.vitrine(['serve', '--port', '0', '--json'])
    expect({exitCode, stdout}).toEqual({exitCode: 1, stdout: ''})
    expect(stderr).toMatch(
      /^vitrine: a hub is already running on this data directory: http:\S+ \(pid \d+\)/,
    )
    expect(stderr).toMatch(/\. For a login link: vitrine login\n$/)
    const reindex = await place.vitrine(['reindex'])
    expect(reindex.exitCode).toBe(1)
    expect(reindex.stderr).toContain('a hub is already running on this data directory')
  })

  test('reports a port that is in use', async () => {
    const {exitCode, stderr} = await other.vitrine(['serve', '--port', String(hub.port)])
    expect({exitCode, stderr}).toEqual({
      exitCode: 1,
      stderr: `vitrine: port ${hub.port} is already in use. Choose another one, or use --port 0 for a free one\n`,
    })
  })

  test('refuses to listen for other machines without TLS', async () => {
    const {exitCode, stderr} = await other.vitrine(['serve', '--port', '0', '--host', '0.0.0.0'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('--tls-cert')
  })

  test('records and publishes the payloads of hooks', async () => {
    const payload = {
      session_id: '2bb53ce3-3796-4042-978f-d7af027c14e8',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Hello',
      cwd: '/home/dev/project',
    }
    const headers = {authorization: `Bearer ${hub.token}`, 'content-type': 'application/json'}
    const send = (body: object) =>
      fetch(`${hub.url}/api/hooks`, {method: 'POST', headers, body: JSON.stringify(body)})
    const response = await send(payload)
    expect(response.status).toBe(202)
    const taken = (await response.json()) as {runId: string}
    const {runId} = taken
    expect(taken).toEqual({runId})
    const client = await hub.connect()
    client.send({type: 'subscribe', runId, since: 0})
    await client.receives(({type}) => type === 'run_started')
    await send({...payload, hook_event_name: 'Stop', last_assistant_message: 'Hi.'})
    // Output is published when its hook arrives, not at the end of the session.
    expect(await client.receives(({type}) => type === 'agent_output')).toMatchObject({
      content: 'Hi.',
    })
    await send({...payload, hook_event_name: 'SessionEnd', reason: 'other'})
    expect(await client.receives(({type}) => type === 'run_ended')).toMatchObject({
      verdict: 'succeeded',
    })
    expect((await send({hello: 1})).status).toBe(400)
    client.close()
  })

  test('removes a deleted recording from its lists', async () => {
    await place.runFake('happy', ['--id', 'gone', '--format', 'quiet'], {cwd: place.file('work')})
    await until(async () => (await hub.get('/api/runs/gone')).status === 200)
    rmSync(place.dirOf('gone'), {recursive: true})
    await until(async () => (await hub.get('/api/runs/gone')).status === 404)
    expect((await hub.json('/api/runs?q=gone'))['runs']).toEqual([])
  })

  test('indexes a recording that was copied into its data folder', async () => {
    await other.runFake('happy', ['--id', 'found', '--format', 'quiet', '--no-hub'])
    cpSync(other.dirOf('found'), place.dirOf('found'), {recursive: true})
    await until(async () => (await hub.get('/api/runs/found')).status === 200)
    await until(async () => (await hub.json('/api/runs/found'))['lastSeq'] === 6)
    expect((await hub.json('/api/runs/found'))['run']).toMatchObject({verdict: 'succeeded'})
  })

  test('ignores files and folders that are not recordings', async () => {
    cpSync(place.dirOf('found'), place.dirOf('marker'), {recursive: true})
    await until(async () => (await hub.get('/api/runs/marker')).status === 200)
    writeFileSync(join(place.dataDir, 'runs', 'file'), 'x')
    mkdirSync(join(place.dataDir, 'runs', 'empty'))
    mkdirSync(join(place.dataDir, 'runs', 'bad'))
    writeFileSync(join(place.dataDir, 'runs', 'bad', 'run.json'), '{"version":')
    // Only a scan of the complete folder notices a removal.
    rmSync(place.dirOf('marker'), {recursive: true})
    await until(async () => (await hub.get('/api/runs/marker')).status === 404)
    expect((await hub.get('/healthz')).status).toBe(200)
  })
})
