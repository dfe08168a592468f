import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {connect} from '../support/hub.ts'
import {createPlace, fake, sleep, until, type Place} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

const isLinux = process.platform === 'linux'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** Starts a command of Vitrine that may have so many files open. */
function startWith(most: number, args: string[], more: Record<string, string> = {}) {
  const command = `ulimit -n ${most}; exec "$@"`
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, bin, ...args], {
    cwd: place.folder,
    env: {PATH: process.env['PATH'], HOME: place.folder, TZ: 'UTC', ...more},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = once(child, 'close').then(([exitCode]) => ({exitCode: exitCode as number | null}))
  return {child, ended, stdout: () => stdout, stderr: () => stderr}
}

/** Takes all files but a few as soon as the folder of a run is made: Node needs many to load a program. */
const HOARD = `import fs from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
const {mkdirSync, openSync, closeSync} = fs
fs.mkdirSync = (path, ...rest) => {
  const made = mkdirSync(path, ...rest)
  if (!String(path).includes('/runs/few-')) return made
  const held = []
  try {
    for (;;) held.push(openSync('/dev/null'))
  } catch {}
  for (let left = Number(process.env.LEFT); left > 0; left--) closeSync(held.pop())
  return made
}
syncBuiltinESMExports()
`

describe.skipIf(!isLinux)('vitrine run with few files left', () => {
  beforeAll(() => {
    writeFileSync(place.file('hoard.mjs'), HOARD)
  })

  async function runWith(left: number) {
    const id = `few-${left}`
    const data = ['--data-dir', place.dataDir, '--id', id, '--no-hub', '--format', 'json']
    const run = startWith(300, ['run', ...data, '--agent', 'claude', '--', fake('slow')], {
      LEFT: String(left),
      NODE_OPTIONS: `--import ${pathToFileURL(place.file('hoard.mjs')).href}`,
      LINES: '20',
      MS: '5',
    })
    const {exitCode} = await run.ended
    const listed = (await place.list()).filter(({runId}) => runId === id)
    return {exitCode, stdout: run.stdout(), stderr: run.stderr(), listed}
  }

  test.each([0, 1, 2, 3, 4])(
    '%i: the agent is not started, and nothing is left of it',
    async (left) => {
      const {exitCode, stdout, stderr, listed} = await runWith(left)
      expect({stdout, listed}).toEqual({stdout: '', listed: []})
      expect([1, 126]).toContain(exitCode)
      expect(stderr).toMatch(/^vitrine: [^\n]*too many files are open[^\n]*\n$/)
    },
  )

  // It depends on Node how many it takes to show the run as well.
  test.each([5, 6, 7, 8, 12])('%i: it is looked after to its verdict', async (left) => {
    const {stderr, listed} = await runWith(left)
    expect(stderr).toMatch(/^(?:vitrine: [^\n]*\n)*$/)
    expect(listed).toMatchObject([{verdict: 'succeeded'}])
  })
})

describe.skipIf(!isLinux)('a hub with too few files', () => {
  test('goes on, and serves again when there are some', async () => {
    await place.runFake('happy', ['--id', 'one', '--no-hub'])
    // Enough to start with.
    const most = 100
    const hub = startWith(most, ['serve', '--port', '0', '--json', '--data-dir', place.dataDir])
    await until(() => hub.stdout().includes('}\n') || hub.child.exitCode !== null)
    const {url} = JSON.parse(hub.stdout()) as {url: string}
    const token = readFileSync(join(place.dataDir, 'token'), 'utf8').trim()
    const headers = {authorization: `Bearer ${token}`}
    const openFiles = () => readdirSync(`/proc/${hub.child.pid}/fd`).length
    const before = openFiles()

    const sockets = Array.from({length: most}, () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {headers})
      return socket.on('error', () => {})
    })
    await until(() => openFiles() >= most - 1)
    await place.runFake('happy', ['--id', 'two', '--no-hub'])
    await sleep(300)
    expect(hub.child.exitCode).toBeNull()
    for (const socket of sockets) socket.terminate()

    await until(() => openFiles() <= before + 5)
    const look = async () => (await fetch(`${url}/api/runs/two`, {headers})).status
    await expect.poll(look).toBe(200)
    const client = await connect(url, {token})
    client.send({type: 'subscribe', runId: 'two', since: 0})
    await client.receives(({type, runId}) => type === 'run_ended' && runId === 'two')
    client.close()
    hub.child.kill('SIGTERM')
    expect((await hub.ended).exitCode).toBe(0)
    expect(hub.stderr()).not.toMatch(/\n\s+at /)
  })
})
