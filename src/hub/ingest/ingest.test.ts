import {once} from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type * as timers from 'node:timers/promises'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {WebSocket, WebSocketServer} from 'ws'
import {readRunRecord} from '../../recording/run-record-file.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {createBus} from '../live/bus.ts'
import type {Bus} from '../live/bus.ts'
import {createIngest} from './ingest.ts'
import type {HubMessage} from '../protocol/ingest-messages.ts'
import {encodeFrames, type Frame, type SentFile} from './protocol.ts'

// The bus waits 3 s for a runner to connect, in steps; the mock makes each step one turn of the event loop.
vi.mock('node:timers/promises', async (importOriginal) => {
  const original = await importOriginal<typeof timers>()
  return {...original, setTimeout: () => original.setImmediate()}
})

let dataDir: string
let server: WebSocketServer
let bus: Bus
let woken: string[]
let sockets: WebSocket[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-ingest-'))
  server = new WebSocketServer({port: 0, host: '127.0.0.1'})
  await once(server, 'listening')
  bus = createBus()
  woken = []
  sockets = []
  const ingest = createIngest({dataDir, bus, wake: (runId) => woken.push(runId)})
  server.on('connection', (socket) => ingest.accept(socket))
})

afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  await new Promise((done) => server.close(done))
  rmSync(dataDir, {recursive: true, force: true})
})

/** Connects a scripted runner. */
async function connect() {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  sockets.push(socket)
  const received: HubMessage[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    received.push(JSON.parse(String(data)) as HubMessage)
    wake()
  })
  const closed = new Promise<number>((done) => socket.on('close', done))
  await once(socket, 'open')
  const next = async (): Promise<HubMessage> => {
    for (;;) {
      const message = received.shift()
      if (message !== undefined) return message
      await new Promise<void>((done) => (wake = done))
    }
  }
  const sendMessage = (message: object) => socket.send(JSON.stringify(message))
  return {
    socket,
    closed,
    sendMessage,
    next,
    async offer(record: object, key = 1) {
      sendMessage({type: 'offer', key, record})
      return next()
    },
    send(file: SentFile, offset: number, text: string, key = 1) {
      socket.send(encodeFrame({key, file, offset, bytes: Buffer.from(text)}))
      return next()
    },
  }
}

function recordOf(runId: string, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    runId,
    argv: ['claude'],
    ranArgv: [],
    cwd: '/home/dev',
    agent: 'claude',
    startedAt: 1000,
    marker: `${runId}-marker`,
    supervisor: {pid: 17},
    ...changes,
  }
}

const encodeFrame = (frame: Frame) => encodeFrames([frame])

const stdoutOf = (runId: string) => readFileSync(join(dataDir, 'runs', runId, 'stdout'), 'utf8')

/** The files of the data folder that this process has open. */
const listOpenFiles = () =>
  readdirSync('/proc/self/fd')
    .flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return []
      }
    })
    .filter((file) => file.startsWith(dataDir))

describe('bytes', () => {
  test('are appended once, at their offset', async () => {
    const runner = await connect()
    expect(await runner.offer(recordOf('a'))).toMatchObject({
      type: 'have',
      runId: 'a',
      isLocal: false,
      offsets: {out: 0, timing: 0},
    })
    expect(await runner.send('out', 0, 'one\n')).toMatchObject({offsets: {out: 4}})
    expect(await runner.send('out', 0, 'one\n')).toMatchObject({offsets: {out: 4}})
    expect(await runner.send('out', 2, 'e\ntwo\n')).toMatchObject({offsets: {out: 8}})
    // A chunk that would leave a gap is rejected.
    expect(await runner.send('out', 9, 'four\n')).toMatchObject({offsets: {out: 8}})
    expect(stdoutOf('a')).toBe('one\ntwo\n')
    expect(readRunRecord(join(dataDir, 'runs', 'a'))?.host).toBe('remote')
    expect(woken).toContain('a')
  })

  test('form the complete file for any chunks in any number of attempts', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.string({minLength: 1, maxLength: 50}),
        fc.array(fc.tuple(fc.nat(60), fc.nat(60)), {maxLength: 10}),
        async (text, ranges) => {
          const bytes = Buffer.from(text)
          const runner = await connect()
          const runId = `run-${++count}`
          await runner.offer(recordOf(runId))
          for (const [start, length] of [...ranges, [0, bytes.length] as const]) {
            const chunk = bytes.subarray(start, start + length)
            runner.socket.send(encodeFrame({key: 1, file: 'out', offset: start, bytes: chunk}))
          }
          let have = 0
          while (have < bytes.length) {
            const message = await runner.next()
            if (message.type === 'have') have = message.offsets.out
          }
          expect(Buffer.from(stdoutOf(runId)).equals(bytes)).toBe(true)
          runner.socket.terminate()
        },
      ),
      {numRuns: 30},
    )
  })

  test('are accepted only from the runner that offered the run last', async () => {
    const first = await connect()
    await first.offer(recordOf('a'))
    await first.send('out', 0, 'one\n')
    const second = await connect()
    expect(await second.offer(recordOf('a'))).toMatchObject({runId: 'a', offsets: {out: 4}})
    first.socket.send(encodeFrame({key: 1, file: 'out', offset: 4, bytes: Buffer.from('old\n')}))
    first.sendMessage({type: 'record', key: 1, version: 9, record: recordOf('a', {cwd: '/old'})})
    expect(await first.next()).toEqual({type: 'replaced', key: 1})
    first.sendMessage({type: 'offer', key: 2, record: {}})
    expect(await first.next()).toMatchObject({type: 'refused', key: 2})
    expect(await second.send('out', 4, 'two\n')).toMatchObject({offsets: {out: 8}})
    expect(stdoutOf('a')).toBe('one\ntwo\n')
    expect(readRunRecord(join(dataDir, 'runs', 'a'))?.cwd).toBe('/home/dev')
    first.socket.close()
    await first.closed
    expect(await second.send('out', 8, 'three\n')).toMatchObject({offsets: {out: 14}})
  })

  test('are ignored in a malformed frame or for a run that was not offered', async () => {
    const runner = await connect()
    await runner.offer(recordOf('a'))
    runner.socket.send(Buffer.from('x'))
    runner.socket.send(encodeFrame({key: 7, file: 'out', offset: 0, bytes: Buffer.from('x')}))
    const odd = encodeFrame({key: 1, file: 'out', offset: 0, bytes: Buffer.from('x')})
    odd[4] = 99
    runner.socket.send(odd)
    odd[4] = 1
    odd.fill(0xff, 5, 13)
    runner.socket.send(odd)
    expect(await runner.send('out', 0, 'one\n')).toMatchObject({offsets: {out: 4}})
  })
})

describe('a run', () => {
  test('gets a name of its own when its name is taken, and keeps it', async () => {
    const one = await connect()
    await one.offer(recordOf('a'))
    const other = await connect()
    const twin = recordOf('a', {marker: 'another'})
    const named = (await other.offer(twin)) as {runId: string}
    expect(named.runId).toMatch(/^a-[0-9a-f]{8}$/)
    await other.send('out', 0, 'two\n')
    const again = await connect()
    expect(await again.offer(twin)).toMatchObject({...named, offsets: {out: 4}})
  })

  test('is accepted at once after many others of the same name', async () => {
    const runner = await connect()
    for (let count = 0; count < 20; count++) {
      await runner.offer(recordOf('nightly', {marker: `other-${count}`}))
    }
    const offered = (await runner.offer(recordOf('nightly'))) as {runId: string}
    expect(offered.runId).toMatch(/^nightly-[0-9a-f]{8}$/)
  })

  test('is stored with a small record when its record has 15 MB', async () => {
    const runner = await connect()
    await runner.offer(recordOf('large', {cwd: `/${'x'.repeat(15_000_000)}`}))
    expect(statSync(join(dataDir, 'runs', 'large', 'run.json')).size).toBeLessThan(10_000)
  })

  test.skipIf(process.platform !== 'linux')(
    'shares few open files with the other runs of a runner',
    async () => {
      const runner = await connect()
      for (let key = 1; key <= 100; key++) await runner.offer(recordOf(`run-${key}`), key)
      expect(listOpenFiles().length).toBeLessThanOrEqual(64)
      const large = 'x'.repeat(300_000)
      for (let key = 1; key <= 100; key += 9) await runner.send('out', 0, large, key)
      expect(listOpenFiles().length).toBeLessThanOrEqual(64)
      expect(stdoutOf('run-1')).toBe(large)
      expect(stdoutOf('run-100')).toBe(large)
      runner.socket.close()
      await runner.closed
      while (listOpenFiles().length > 0) await new Promise((done) => setImmediate(done))
    },
  )

  test('is read in place when it belongs to the data folder of the hub', async () => {
    const runner = await connect()
    await runner.offer(recordOf('a'))
    const path = join(dataDir, 'runs', 'a', 'run.json')
    const {host: _host, ...own} = JSON.parse(readFileSync(path, 'utf8')) as RunRecord
    writeFileSync(path, JSON.stringify(own))
    const local = await connect()
    expect(await local.offer(recordOf('a'))).toMatchObject({runId: 'a', isLocal: true})
    local.socket.send(encodeFrame({key: 1, file: 'out', offset: 0, bytes: Buffer.from('x')}))
    local.sendMessage({type: 'offer', key: -1, record: {}})
    local.sendMessage({type: 'offer', key: 3, record: {}})
    await local.next()
    expect(readFileSync(join(dataDir, 'runs', 'a', 'stdout'), 'utf8')).toBe('')
  })

  test.each(['../a', '..', '.a', '-a', 'a/b', 'a\\b', '', 'a'.repeat(65), 'a\n'])(
    'is refused under the name %j',
    async (runId) => {
      const runner = await connect()
      expect(await runner.offer(recordOf(runId))).toMatchObject({type: 'refused'})
      expect(existsSync(join(dataDir, 'runs')) ? readdirSync(join(dataDir, 'runs')) : []).toEqual(
        [],
      )
    },
  )

  test('keeps its identity when its record changes', async () => {
    const runner = await connect()
    await runner.offer(recordOf('a'))
    const record = recordOf('b', {marker: 'other', cwd: '/other'})
    runner.sendMessage({type: 'record', key: 1, version: 1, record})
    runner.sendMessage({
      type: 'record',
      key: 1,
      version: 2,
      record: recordOf('b', {marker: 'a-marker'}),
    })
    expect(await runner.next()).toMatchObject({type: 'have', runId: 'a', version: 2})
    expect(readRunRecord(join(dataDir, 'runs', 'a'))).toMatchObject({runId: 'a', cwd: '/home/dev'})
    expect(readdirSync(join(dataDir, 'runs'))).toEqual(['a'])
  })

  test('receives its commands until its runner disconnects', async () => {
    const runner = await connect()
    await runner.offer(recordOf('a'))
    const outcome = bus.request('a', {type: 'stop'})
    expect(await runner.next()).toEqual({type: 'command', key: 1, id: 1, command: {type: 'stop'}})
    runner.sendMessage({type: 'outcome', id: 1, outcome: {ok: true}})
    expect(await outcome).toEqual({ok: true})
    const unanswered = bus.request('a', {type: 'stop'})
    await runner.next()
    runner.socket.terminate()
    expect(await unanswered).toMatchObject({ok: false, code: 'not-reachable'})
    expect(await bus.request('a', {type: 'stop'})).toMatchObject({ok: false})
  })
})

test('closes the connection of a runner that sends malformed JSON', async () => {
  const runner = await connect()
  runner.socket.send('{"type":')
  expect(await runner.closed).toBe(1011)
  const other = await connect()
  for (const text of ['null', '[]', '5', '{}', '{"type":"offer"}', '{"type":"later"}']) {
    other.socket.send(text)
  }
  expect(await other.offer(recordOf('a'))).toMatchObject({type: 'have'})
})
