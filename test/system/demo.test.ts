import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {once} from 'node:events'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {describe, test} from 'vitest'
import {createEventDecoder} from '../../src/agents/parse.ts'
import type {AgentEvent} from '../../src/core/events/events.ts'
import type {RunSummary} from '../../src/core/run/run-summary.ts'
import {connect, type Client} from '../support/hub.ts'
import {placeTest, sleep, until, type Place} from '../support/run.ts'
import {expectInvariants} from '../support/invariants.ts'

interface Ready {
  url: string
  port: number
  dataDir: string
  loginUrl: string
}

interface Story {
  name: string
  agent: string
  lane?: string
  minutesAgo?: number
}

const recordings = new URL('../../dist/demo/recordings/', import.meta.url)
const stories = JSON.parse(readFileSync(new URL('stories.json', recordings), 'utf8')) as Story[]
const past = stories.filter(({minutesAgo}) => minutesAgo !== undefined)

type Running = ReturnType<Place['start']>

interface Demo {
  /** The only folder in which the demo creates temporary folders. */
  temporary: string
  start(args: string[], env?: Record<string, string>): Running
}

/** A test that starts a demo with its own temporary folder. */
const demoTest = placeTest.extend<{demo: Demo}>({
  demo: async ({place}, use) => {
    const temporary = place.file('tmp')
    mkdirSync(temporary)
    await use({
      temporary,
      start(args, env = {}) {
        const given = args.includes('--port') ? args : ['--port', '0', ...args]
        return place.start(['demo', ...given], {env: {TMPDIR: temporary, ...env}})
      },
    })
  },
})

async function ready(running: Running): Promise<Ready> {
  let text = ''
  running.child.stdout.on('data', (chunk: string) => (text += chunk))
  await running.prints('}\n')
  return JSON.parse(text) as Ready
}

/** Waits until the demo has started an agent, the last step of its start. */
async function untilPlaying(place: Place): Promise<void> {
  await until(() => place.survivors().length > 1)
}

/** Logs in like a browser and returns the cookie. */
async function logIn({loginUrl}: Ready): Promise<string> {
  const response = await fetch(loginUrl, {redirect: 'manual'})
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

describe.concurrent('vitrine demo', () => {
  demoTest(
    'shows past and live runs, which can be answered and stopped',
    async ({place, demo, expect}) => {
      const {start, temporary} = demo
      const log = place.file('connections')
      const spy = place.file('spy.mjs')
      writeFileSync(log, '')
      writeFileSync(spy, SPY.replace('LOG', JSON.stringify(log)))
      const env = {NODE_OPTIONS: `--import=${pathToFileURL(spy).href}`}
      const running = start(['--json', '--no-open', '--speed', '60'], env)
      const hub = await ready(running)
      expect(hub.dataDir.startsWith(temporary)).toBe(true)
      const cookie = await logIn(hub)
      const list = async () => {
        const response = await fetch(`${hub.url}/api/runs?limit=100&kind=run`, {headers: {cookie}})
        return ((await response.json()) as {runs: RunSummary[]}).runs
      }

      const first = await list()
      const over = first.filter(({endedAt = Date.now()}) => endedAt < Date.now() - 60_000)
      expect(over).toHaveLength(past.length)
      expect([...new Set(over.map(({verdict}) => verdict))].toSorted()).toEqual([
        'failed',
        'over-budget',
        'stopped',
        'succeeded',
        'truncated',
      ])

      const get = async (path: string): Promise<unknown> =>
        (await fetch(`${hub.url}${path}`, {headers: {cookie}})).json()
      const listSessions = async () =>
        ((await get('/api/runs?limit=100&kind=session')) as {runs: RunSummary[]}).runs
      while ((await listSessions()).length < 50) await sleep(100)
      const sessions = await listSessions()
      expect(new Set(sessions.map(({agent}) => agent))).toEqual(
        new Set(['claude', 'codex', 'gemini', 'pi']),
      )
      expect(sessions.filter(({cwd}) => cwd?.startsWith(hub.dataDir) !== true)).toEqual([])

      const token = readFileSync(join(hub.dataDir, 'token'), 'utf8').trim()
      const client = await connect(hub.url, {token})
      const isLive = (run: RunSummary) => !over.some(({runId}) => runId === run.runId)
      const find = async (isWanted: (run: RunSummary) => boolean): Promise<RunSummary> => {
        for (;;) {
          const found = (await list()).filter(isLive).find(isWanted)
          if (found !== undefined) return found
          await sleep(100)
        }
      }

      const asking = await find(({requests}) => requests.length > 0)
      answer(client, asking, true)
      const answered = await find(
        ({runId, verdict}) => runId === asking.runId && verdict !== undefined,
      )
      expect(answered).toMatchObject({verdict: 'succeeded', deniedCount: 0})

      const again = await find(({requests}) => requests.length > 0)
      answer(client, again, false)
      const refused = await find(
        ({runId, verdict}) => runId === again.runId && verdict !== undefined,
      )
      expect(refused).toMatchObject({verdict: 'succeeded', deniedCount: 1})
      const output = await fetch(`${hub.url}/api/runs/${again.runId}/raw`, {headers: {cookie}})
      expect(await output.text()).toContain('Not on a Sunday.')

      await find(({verdict}) => verdict === 'failed')
      // A run that waits for an answer cannot end before the request arrives.
      const waiting = await find(({requests}) => requests.length > 0)
      client.send({type: 'stop_run', runId: waiting.runId, ref: 'stop'})
      const stopped = await find(
        ({runId, verdict}) => runId === waiting.runId && verdict !== undefined,
      )
      expect(stopped).toMatchObject({verdict: 'stopped'})
      client.close()

      running.child.kill('SIGINT')
      const {exitCode, stderr} = await running.ended
      expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
      expect(place.survivors()).toEqual([])
      expect(readdirSync(temporary)).toEqual([])
      const hosts = readFileSync(log, 'utf8').trimEnd().split('\n')
      expect([...new Set(hosts)]).toEqual(['127.0.0.1'])
    },
  )

  demoTest(
    'keeps a folder given with --data-dir, and rejects one that is not empty',
    async ({place, demo, expect}) => {
      const {start, temporary} = demo
      const kept = place.file('kept')
      const running = start(['--json', '--no-open', '--data-dir', kept])
      await ready(running)
      running.child.kill('SIGTERM')
      expect(await running.ended).toMatchObject({exitCode: 0})
      expect(readdirSync(join(kept, 'runs')).length).toBeGreaterThanOrEqual(past.length)
      const other = place.file('other')
      mkdirSync(join(other, 'runs'), {recursive: true})
      expect(await start(['--data-dir', other]).ended).toMatchObject({
        exitCode: 2,
        stderr: `vitrine: --data-dir ${other}: not empty. Choose a new or empty directory\n`,
      })
      expect(readdirSync(temporary)).toEqual([])
    },
  )

  demoTest('ends at once at a second signal', async ({place, demo, expect}) => {
    const {start, temporary} = demo
    const running = start(['--json', '--no-open'])
    await ready(running)
    await untilPlaying(place)
    running.child.kill('SIGINT')
    running.child.kill('SIGTERM')
    running.child.kill('SIGINT')
    await running.ended
    await place.expectNoSurvivors()
    expect(readdirSync(temporary)).toEqual([])
  })

  demoTest('reports that a port given with --port is in use', async ({demo, expect}) => {
    const {start, temporary} = demo
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const {port} = server.address() as {port: number}
    const {exitCode, stderr} = await start(['--port', String(port)]).ended
    server.close()
    expect({exitCode, stderr}).toEqual({
      exitCode: 1,
      stderr: `vitrine: port ${port} is already in use. Choose another one, or use --port 0 for a free one\n`,
    })
    expect(readdirSync(temporary)).toEqual([])
  })

  demoTest('prints its address and how to end it', async ({demo, expect}) => {
    const {start} = demo
    const running = start(['--no-open'])
    await running.prints('Ctrl-C')
    running.child.kill('SIGINT')
    const {stdout} = await running.ended
    expect(stdout.replaceAll(/:\d+/g, ':PORT').replace(/code=[\w-]+/, 'code=CODE')).toBe(
      `Vitrine demo at http://127.0.0.1:PORT
  open  http://127.0.0.1:PORT/login?code=CODE  valid once, for 10 minutes
  Demo data: recordings are replayed locally, and past sessions are invented.
  No agent runs and nothing leaves this machine.
  Ctrl-C stops the demo and removes its data.
`,
    )
  })
})

describe.skipIf(process.platform !== 'linux').concurrent('the browser', () => {
  demoTest.for([
    ['is opened', {}, true],
    ['is not opened in CI', {CI: 'true'}, false],
    ['is not opened over SSH', {SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'}, false],
  ] as const)('%s', async ([, env, isOpened], {place, demo, expect}) => {
    const folder = place.file('bin')
    const opened = join(folder, 'opened')
    mkdirSync(folder)
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > '${opened}'\n`)
    chmodSync(join(folder, 'xdg-open'), 0o755)
    const PATH = `${folder}:${process.env['PATH']}`
    const running = demo.start(['--json'], {PATH, DISPLAY: ':0', ...env})
    const {url} = await ready(running)
    await untilPlaying(place)
    running.child.kill('SIGINT')
    await running.ended
    // No process that could still open it is running.
    await place.expectNoSurvivors()
    const links = existsSync(opened) ? [readFileSync(opened, 'utf8').replace(/code=.*\n/, '')] : []
    expect(links).toEqual(isOpened ? [`${url}/login?`] : [])
  })

  demoTest('that cannot be opened is reported', async ({place, demo, expect}) => {
    const env = {PATH: place.file('nowhere'), DISPLAY: ':0'}
    const running = demo.start(['--json'], env)
    await ready(running)
    await running.warns('\n')
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      exitCode: 0,
      stderr: 'vitrine: cannot open a browser. Open the printed link\n',
    })
  })
})

describe('the recordings of the demo', () => {
  const decoded = new Map(stories.map((story) => [story.name, eventsOf(story)]))

  test.for(stories)('are valid output of their agents: $name', ({name, agent}, {expect}) => {
    const events = decoded.get(name) ?? []
    expectInvariants(events, agent)
    const sessions = events.flatMap((event) =>
      event.type === 'session-start' ? [event.sessionId] : [],
    )
    expect(new Set(sessions).size).toBe(1)
    const odd = events.filter(({type}) => type === 'unknown' || type === 'malformed')
    expect(odd).toHaveLength(name === 'odd-lines' ? 2 : name === 'issue-summary' ? 1 : 0)
  })

  test('cover all kinds of events', ({expect}) => {
    const events = [...decoded.values()].flat()
    const seen = new Set(events.flatMap(describeEvent))
    expect([...seen].toSorted()).toMatchSnapshot()
  })

  test('are smaller than 1 MB together', ({expect}) => {
    const files = readdirSync(recordings, {recursive: true, encoding: 'utf8', withFileTypes: true})
    const sizes = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name)).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000)
  })
})

function answer(client: Client, {runId, requests}: RunSummary, allow: boolean): void {
  const [{requestId} = {}] = requests
  const message = allow ? undefined : 'Not on a Sunday.'
  client.send({type: 'answer_permission', runId, requestId, allow, message, ref: requestId})
}

function eventsOf({name, agent}: Story): AgentEvent[] {
  const decoder = createEventDecoder(agent, {now: () => 0})
  const bytes = readFileSync(new URL(`${name}/stdout`, recordings))
  return [...(decoder?.push(bytes) ?? []), ...(decoder?.end() ?? [])]
}

function describeEvent(event: AgentEvent): string[] {
  if (event.type === 'status') return [`status ${event.status}`]
  if (event.type === 'tool-start') return [`tool ${event.tool}`]
  if (event.type === 'tool-end') return [event.ok ? 'tool-end' : 'tool-end with an error']
  return [event.type]
}

/** Logs the hosts to which a program and its children connect. */
const SPY = `
import {appendFileSync} from 'node:fs'
import {Socket} from 'node:net'
const {connect} = Socket.prototype
Socket.prototype.connect = function (...args) {
  const [first] = args.flat()
  appendFileSync(LOG, (first?.host ?? first?.path ?? first) + '\\n')
  return connect.apply(this, args)
}
`
