import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {WebSocketServer, type WebSocket} from 'ws'
import {createBus} from '../../src/hub/live/bus.ts'
import {createIngest} from '../../src/hub/ingest/ingest.ts'
import {openIndexer, type Indexer} from '../../src/hub/reader/indexer.ts'
import {nullSink} from '../../src/hub/reader/message-sink.ts'
import {openRunIndex} from '../../src/hub/index/run-index.ts'
import {createReporter, type Reporter, type ReporterOptions} from '../../src/hub/ingest/reporter.ts'
import {toProcessId} from '../../src/recording/process-id.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {writeRunRecord} from '../../src/recording/run-record-file.ts'
import type {RunRecord} from '../../src/recording/run-record.ts'
import {until} from '../support/run.ts'

let folder: string
let server: WebSocketServer
let reporters: Reporter[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-report-'))
  server = new WebSocketServer({port: 0, host: '127.0.0.1'})
  await once(server, 'listening')
  reporters = []
})

afterEach(async () => {
  for (const reporter of reporters) reporter.close()
  for (const socket of server.clients) socket.terminate()
  await new Promise((done) => server.close(done))
  rmSync(folder, {recursive: true, force: true})
})

function report(options: Partial<ReporterOptions> = {}): Reporter {
  const {port} = server.address() as AddressInfo
  const locate = () => ({url: `http://127.0.0.1:${port}`, token: 't'})
  const reporter = createReporter({dir: join(folder, 'a'), locate, ...options})
  reporters.push(reporter)
  return reporter
}

/** Records a run that is over. */
function record(words: string[]): void {
  const dir = join(folder, 'a')
  mkdirSync(dir)
  const files = recordingAt(dir)
  writeFileSync(files.stdout, words.map((word) => `${word}\n`).join(''))
  let end = 0
  const times = words.map((word) => `[2000,"out",${(end += word.length + 1)}]\n`)
  writeFileSync(files.timing, times.join(''))
  const result = {
    verdict: 'succeeded',
    reason: 'done',
    startedAt: 1000,
    durationMs: 8000,
    costUsd: null,
  }
  writeRunRecord(dir, {
    version: 1,
    runId: 'a',
    argv: ['make'],
    ranArgv: [],
    cwd: '/home/dev',
    agent: null,
    startedAt: 1000,
    marker: 'm',
    supervisor: toProcessId(process.pid),
    endedAt: 9000,
    result,
  } as unknown as RunRecord)
}

test('a run that ended before the hub knew it is sent completely', async () => {
  record(['one', 'two'])
  const dataDir = join(folder, 'hub')
  mkdirSync(join(dataDir, 'runs'), {recursive: true})
  const index = openRunIndex(join(dataDir, 'index.db'), {onLost() {}})
  const bus = createBus()
  const indexer: Indexer = openIndexer({
    dataDir,
    index,
    sink: nullSink,
    findAgent: () => null,
  })
  await indexer.caughtUp
  const wake = (runId: string, hasRecord: boolean) => indexer.wake(runId, hasRecord)
  const ingest = createIngest({dataDir, bus, wake})
  server.on('connection', (socket: WebSocket) => ingest.accept(socket))
  expect(await report().finish(5000)).toBe(true)
  await until(async () => index.getRun('a')?.isComplete === true)
  const {messages} = index.listMessages('a', {since: 0, limit: 10})
  await indexer.close()
  index.close()
  expect(messages.map(({json}) => (JSON.parse(json) as {content?: string}).content)).toEqual([
    undefined,
    'one\n',
    'two\n',
    undefined,
  ])
})

test.each(['no JSON', 'null', '{"type":"have"}', '{"type":"command","id":1}', '[1]'])(
  'a reporter survives the malformed reply %s',
  async (answer) => {
    record(['one'])
    const processed = new Promise<void>((done) => {
      server.on('connection', (socket) => {
        // The reporter reacts to a ping after the reply, or has closed the connection because of it.
        socket.on('pong', () => done()).on('close', () => done())
        socket.on('message', () => {
          socket.send(answer)
          socket.ping()
        })
      })
    })
    const reporter = report()
    await processed
    expect(await reporter.finish(20)).toBe(false)
  },
)

test('a command that fails is answered with the error', async () => {
  record(['one'])
  const received: string[] = []
  server.on('connection', (socket) => {
    socket.on('message', (data) => received.push(String(data)))
    socket.send('{"type":"command","key":1,"id":7,"command":{"type":"stop"}}')
  })
  report({
    onCommand() {
      throw new Error('no such rule')
    },
  })
  await until(() => received.some((text) => text.includes('outcome')))
  const outcome = received.find((text) => text.includes('outcome')) ?? ''
  expect(JSON.parse(outcome)).toMatchObject({id: 7, outcome: {ok: false, code: 'bad-field'}})
})

test('a hub that refuses runs is retried with growing pauses and reported once', async () => {
  record(['one'])
  const times: number[] = []
  server.on('connection', (socket) => {
    times.push(performance.now())
    socket.on('message', () => socket.send('{"type":"refused","key":1,"message":"No."}'))
  })
  const troubles: string[] = []
  report({onTrouble: (trouble, _url, detail) => troubles.push(`${trouble}: ${detail}`)})
  await until(() => times.length === 4)
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  // Each pause is at least half of 250, 500 and 1000 ms.
  const isLong = [125, 250, 500].map((least, at) => (pauses[at] ?? 0) >= least - 5)
  expect(isLong, `pauses: ${pauses.join(', ')}`).toEqual([true, true, true])
  expect(troubles).toEqual(['refused: No.'])
})

test('a reporter closes its connection to a hub that does not reply', async () => {
  record(['one'])
  server.on('connection', (socket) => socket.pause())
  const reporter = report()
  await until(() => server.clients.size === 1)
  const before = countSockets()
  expect(await reporter.finish(100)).toBe(false)
  await until(() => countSockets() < before)
})

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}

test('stops waiting for a hub that refuses its token', async () => {
  const other = createServer((_request, response) => response.writeHead(401).end())
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  record(['hello'])
  const troubles: string[] = []
  const {port} = other.address() as AddressInfo
  const reporter = report({
    locate: () => ({url: `http://127.0.0.1:${port}`, token: 'wrong'}),
    onTrouble: (trouble) => troubles.push(trouble),
  })
  expect(await reporter.finish(1_000_000)).toBe(false)
  expect(troubles).toEqual(['bad-token'])
  other.close()
})
