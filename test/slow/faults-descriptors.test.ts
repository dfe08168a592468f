import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {connect} from '../support/hub.ts'
import {countOpenFiles} from '../support/process-stats.js'
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

/** Starts a command of Vitrine with a limit of open files. */
function startWithLimit(maxFiles: number, args: string[], more: Record<string, string> = {}) {
  const command = `ulimit -n ${maxFiles}; exec "$@"`
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

/** Opens files until only `LEFT` are left, once the recording directory is created: Node needs many to start. */
const USE_UP_FILES = `import fs from 'node:fs'
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
    writeFileSync(place.file('use-up-files.mjs'), USE_UP_FILES)
  })

  async function runWith(left: number) {
    const id = `few-${left}`
    const data = ['--data-dir', place.dataDir, '--id', id, '--no-hub', '--format', 'json']
    const run = startWithLimit(300, ['run', ...data, '--agent', 'claude', '--', fake('slow')], {
      LEFT: String(left),
      NODE_OPTIONS: `--import ${pathToFileURL(place.file('use-up-files.mjs')).href}`,
      LINES: '20',
      MS: '5',
    })
    const {exitCode} = await run.ended
    const listed = (await place.list()).filter(({runId}) => runId === id)
    return {exitCode, stdout: run.stdout(), stderr: run.stderr(), listed}
  }

  test.each([0, 1, 2, 3, 4])(
    'does not start the agent and leaves no recording with %i files left',
    async (left) => {
      const {exitCode, stdout, stderr, listed} = await runWith(left)
      expect({stdout, listed}).toEqual({stdout: '', listed: []})
      expect([1, 126]).toContain(exitCode)
      expect(stderr).toMatch(/^vitrine: [^\n]*too many files are open[^\n]*\n$/)
    },
  )

  // Whether the output is printed as well depends on the version of Node.
  test.each([5, 6, 7, 8, 12])(
    'supervises the agent to its verdict with %i files left',
    async (left) => {
      const {stderr, listed} = await runWith(left)
      expect(stderr).toMatch(/^(?:vitrine: [^\n]*\n)*$/)
      expect(listed).toMatchObject([{verdict: 'succeeded'}])
    },
  )
})

describe.skipIf(!isLinux)('a hub with too few files', () => {
  test('keeps running and serves again when files are closed', async () => {
    await place.runFake('happy', ['--id', 'one', '--no-hub'])
    // Enough to start.
    const maxFiles = 100
    const hub = startWithLimit(maxFiles, [
      'serve',
      '--port',
      '0',
      '--json',
      '--data-dir',
      place.dataDir,
    ])
    await until(() => hub.stdout().includes('}\n') || hub.child.exitCode !== null)
    const {url} = JSON.parse(hub.stdout()) as {url: string}
    const token = readFileSync(join(place.dataDir, 'token'), 'utf8').trim()
    const headers = {authorization: `Bearer ${token}`}
    const countFiles = () => countOpenFiles(hub.child.pid ?? 0)
    // The reader thread has opened its files when it answers.
    expect((await fetch(`${url}/api/runs/one`, {headers})).status).toBe(200)
    const before = countFiles()

    const sockets = Array.from({length: maxFiles}, () => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {headers})
      return socket.on('error', () => {})
    })
    await until(() => countFiles() >= maxFiles - 1)
    await place.runFake('happy', ['--id', 'two', '--no-hub'])
    await sleep(300)
    expect(hub.child.exitCode).toBeNull()
    for (const socket of sockets) socket.terminate()

    await until(() => countFiles() <= before + 5)
    const readStatus = async () => (await fetch(`${url}/api/runs/two`, {headers})).status
    await expect.poll(readStatus).toBe(200)
    const client = await connect(url, {token})
    client.send({type: 'subscribe', runId: 'two', since: 0})
    await client.receives(({type, runId}) => type === 'run_ended' && runId === 'two')
    client.close()
    hub.child.kill('SIGTERM')
    expect((await hub.ended).exitCode).toBe(0)
    expect(hub.stderr()).not.toMatch(/\n\s+at /)
  })
})
