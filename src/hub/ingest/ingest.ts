import {createHash} from 'node:crypto'
import {closeSync, openSync, writeSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import type {WebSocket} from 'ws'
import {sizeOf} from '../../recording/completeness.ts'
import {PRIVATE_FILE_MODE} from '../../recording/private-mode.ts'
import {isRunName, receiveRecording} from '../../recording/recording.ts'
import {loadRunRecord, writeRunRecord} from '../../recording/run-record-file.ts'
import {parseRunRecord} from '../../recording/normalize-run-record.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import type {Bus, CommandOutcome, RunCommand} from '../live/bus.ts'
import {
  decodeFrames,
  pathOf,
  SENT_FILES,
  type Frame,
  type Offsets,
  type SentFile,
} from './protocol.ts'
import {runnerMessage, type HubMessage} from '../protocol/ingest-messages.ts'
import {createRateLimit} from '../auth/rate-limit.ts'
import {createSemaphore} from '../semaphore.ts'

export interface IngestOptions {
  dataDir: string
  bus: Bus
  /** Reports new data of a run, and whether its record changed. */
  wake(runId: string, hasRecord: boolean): void
  onBytes?: ((count: number) => void) | undefined
}

/** A run received from a runner: the runner that offered it last owns it. */
interface Incoming {
  runId: string
  dir: string
  isLocal: boolean
  host: string | undefined
  offsets: Offsets
  version: number
  /** The last written record, and when. */
  record: RunRecord
  recordAt: number
  /** Notifies the runner that another one replaced it. */
  onReplaced?: (() => void) | undefined
  /** Stops receiving commands. */
  leave?: (() => void) | undefined
}

const MAX_RUNS = 1000
/** A runner that sends more is throttled. A connection may offer all of its runs at once. */
const MESSAGE_RATE = {perSecond: 500, burst: 2000}
const OFFER_RATE = {perSecond: 50, burst: MAX_RUNS}
const MAX_OPEN_FILES = 64
/** Acknowledgements are batched: after this time, or after this many bytes. */
const REPORT_INTERVAL_MS = 500
const REPORT_BYTES = 256 * 1024
const LIVE_MS = 10_000
const ANSWER_MS = 5000

/** Receives runs from runners, on this machine and others. */
export function createIngest({dataDir, bus, wake, onBytes}: IngestOptions) {
  const incoming = new Map<string, Incoming>()
  const files = createAppendFiles(MAX_OPEN_FILES)
  const offerInTurn = createSemaphore(1)
  return {accept}

  /** Serves one runner; `onSent` counts the bytes that wait for it. */
  function accept(socket: WebSocket, onSent = () => {}): void {
    const runs = new Map<number, Incoming>()
    const commands = new Map<number, (outcome: CommandOutcome) => void>()
    /** Runs with unacknowledged data. */
    const due = new Set<number>()
    /** How many bytes arrived since the last acknowledgement. */
    let untold = 0
    let reportedAt = -Infinity
    let timer: NodeJS.Timeout | undefined
    let lastId = 0
    const messages = createRateLimit({...MESSAGE_RATE, maxKeys: 1})
    const offers = createRateLimit({...OFFER_RATE, maxKeys: 1})
    /** Messages that wait for earlier ones. */
    const queue: {bytes: Buffer; isBinary: boolean}[] = []
    let isBusy = false
    let isClosed = false
    socket.on('message', (data, isBinary) => {
      // `ws` passes a buffer unless `binaryType` is set.
      queue.push({bytes: data as Buffer, isBinary})
      if (!isBusy) void work()
    })
    socket.on('close', () => {
      isClosed = true
      queue.length = 0
      clearTimeout(timer)
      for (const settle of commands.values()) settle(UNREACHABLE)
      for (const run of runs.values()) release(run)
    })

    /** Handles messages one after the other, and reads no more while one waits. */
    async function work(): Promise<void> {
      isBusy = true
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          const {bytes, isBinary} = next
          if (isBinary) for (const frame of decodeFrames(bytes)) takeBytes(frame)
          else {
            await slowDown(messages.take(''))
            await receive(JSON.parse(bytes.toString('utf8')))
          }
        }
      } catch (error) {
        // The disk may be full, or the message invalid: the runner keeps its data and tries again.
        socket.close(1011, (error as Error).message.slice(0, 100))
        queue.length = 0
      }
      isBusy = false
      socket.resume()
    }

    async function slowDown(waitMs: number): Promise<void> {
      if (waitMs === 0) return
      socket.pause()
      await sleep(waitMs)
    }

    async function receive(given: unknown): Promise<void> {
      const {data: message} = runnerMessage.safeParse(given)
      if (message === undefined) return
      if (message.type === 'outcome') {
        commands.get(message.id)?.(message.outcome)
        return
      }
      const {key} = message
      const record = parseRunRecord(message.record)
      if (record === null) refuse(key, 'Invalid run record.')
      else if (message.type === 'offer') await takeOffer(key, record)
      else takeRecord(key, message.version, record)
    }

    async function takeOffer(key: number, record: RunRecord): Promise<void> {
      if (runs.size >= MAX_RUNS)
        return refuse(key, `Too many runs on one connection: at most ${MAX_RUNS}.`)
      await slowDown(offers.take(''))
      socket.pause()
      const run = await offerInTurn(async () => (isClosed ? null : admit(record)))
      if (isClosed) return release(run)
      if (run === null)
        return refuse(key, `Cannot store run ${record.runId}: its id is invalid or in use.`)
      release(runs.get(key))
      runs.set(key, run)
      run.onReplaced = () => send({type: 'replaced', key})
      run.leave = bus.serve(run.runId, (command) => pass(key, command))
      reportOffsets(key)
      wake(run.runId, true)
    }

    function takeRecord(key: number, version: number, record: RunRecord): void {
      const run = runs.get(key)
      if (!isReceived(run) || record.marker !== run.record.marker) return
      const isNew = factsOf(record) !== factsOf(run.record)
      if (isNew || Date.now() - run.recordAt > LIVE_MS) {
        writeRunRecord(run.dir, {...record, runId: run.runId, host: run.host})
        run.record = record
        run.recordAt = Date.now()
        wake(run.runId, true)
      }
      run.version = version
      reportSoon(key)
      // A runner that is done waits for this.
      if (record.result !== undefined) reportDue()
    }

    function takeBytes(frame: Frame): void {
      const run = runs.get(frame.key)
      if (!isReceived(run)) return
      const have = run.offsets[frame.file]
      const fresh = frame.bytes.subarray(Math.max(0, have - frame.offset))
      // Data that would leave a gap is requested again.
      if (frame.offset <= have && fresh.length > 0) {
        write(run, frame.file, fresh)
        onBytes?.(fresh.length)
        untold += fresh.length
        // Only data with an arrival time is indexed.
        if (frame.file === 'timing') wake(run.runId, false)
      }
      reportSoon(frame.key)
    }

    function reportSoon(key: number): void {
      due.add(key)
      if (untold >= REPORT_BYTES) return reportDue()
      const waitMs = Math.max(0, reportedAt + REPORT_INTERVAL_MS - performance.now())
      timer ??= setTimeout(reportDue, waitMs)
    }

    function reportDue(): void {
      clearTimeout(timer)
      timer = undefined
      untold = 0
      reportedAt = performance.now()
      for (const key of due) reportOffsets(key)
      due.clear()
    }

    function reportOffsets(key: number): void {
      const run = runs.get(key)
      if (run === undefined) return
      const {runId, isLocal, offsets, version} = run
      send({type: 'have', key, runId, isLocal, offsets, version})
    }

    function pass(key: number, command: RunCommand): Promise<CommandOutcome> {
      const id = ++lastId
      return new Promise((done) => {
        const timeout = setTimeout(() => settle(UNREACHABLE), ANSWER_MS)
        const settle = (outcome: CommandOutcome) => {
          clearTimeout(timeout)
          commands.delete(id)
          done(outcome)
        }
        commands.set(id, settle)
        send({type: 'command', key, id, command})
      })
    }

    function refuse(key: number, message: string): void {
      send({type: 'refused', key, message})
    }

    function send(message: HubMessage): void {
      if (socket.readyState !== socket.OPEN) return
      socket.send(JSON.stringify(message), onSent)
      onSent()
    }
  }

  /** Finds the recording of a run, or creates one. Short ids may be used on several machines. */
  async function admit(record: RunRecord): Promise<Incoming | null> {
    if (!isRunName(record.runId)) return null
    // Runs with the same id on several machines differ by their markers.
    const digest = createHash('sha256').update(record.marker).digest('hex').slice(0, 8)
    for (const runId of [record.runId, `${record.runId.slice(0, 55)}-${digest}`]) {
      const dir = join(resolve(dataDir), 'runs', runId)
      const known = await loadRunRecord(dir)
      if (known === null) {
        const host = record.host ?? 'remote'
        if (receiveRecording(dataDir, {...record, ...NOT_OVER, runId, host}) !== null) {
          return take(runId, dir, {...record, ...NOT_OVER, host})
        }
      } else if (known.marker === record.marker) return take(runId, dir, known)
    }
    return null
  }

  function take(runId: string, dir: string, record: RunRecord): Incoming {
    const before = incoming.get(runId)
    release(before)
    before?.onReplaced?.()
    const sizes = SENT_FILES.map((name) => [name, sizeOf(pathOf(dir, name))])
    const run: Incoming = {
      runId,
      dir,
      isLocal: record.host === undefined,
      host: record.host,
      offsets: Object.fromEntries(sizes) as Offsets,
      version: 0,
      record,
      recordAt: Date.now(),
    }
    incoming.set(runId, run)
    // Every recording has these from the start.
    if (!run.isLocal) for (const name of ['out', 'timing'] as const) files.open(pathOf(dir, name))
    return run
  }

  function write(run: Incoming, name: SentFile, bytes: Uint8Array): void {
    const file = files.open(pathOf(run.dir, name))
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(file, bytes, written)
    } finally {
      run.offsets[name] += written
    }
  }

  /** Whether to store data of a run: not if another runner took it over, or the hub reads the same folder. */
  function isReceived(run: Incoming | undefined): run is Incoming {
    return isOwned(run) && !run.isLocal
  }

  function isOwned(run: Incoming | null | undefined): run is Incoming {
    return run !== null && run !== undefined && incoming.get(run.runId) === run
  }

  /** Ends the reception of a run, unless another runner took it over. */
  function release(run: Incoming | null | undefined): void {
    if (!isOwned(run)) return
    for (const name of SENT_FILES) files.close(pathOf(run.dir, name))
    run.leave?.()
    incoming.delete(run.runId)
  }
}

/** Keeps at most `maxOpen` files open for appending; the least recently used is closed first. */
function createAppendFiles(maxOpen: number) {
  /** In the order of their last use. */
  const descriptors = new Map<string, number>()
  return {open, close}

  /** The descriptor of a file, valid until another file is opened. */
  function open(path: string): number {
    const file = descriptors.get(path) ?? openSync(path, 'a', PRIVATE_FILE_MODE)
    descriptors.delete(path)
    descriptors.set(path, file)
    const [oldest] = descriptors.keys()
    if (descriptors.size > maxOpen && oldest !== undefined) close(oldest)
    return file
  }

  function close(path: string): void {
    const file = descriptors.get(path)
    descriptors.delete(path)
    if (file !== undefined) closeSync(file)
  }
}

/** The end of a run is left to the record that follows the bytes. */
const NOT_OVER = {result: undefined, endedAt: undefined, sizes: undefined}

/** The part of a record that is written at once: progress changes constantly, so it is written now and then. */
function factsOf({live, ...facts}: RunRecord): string {
  return JSON.stringify([live?.isStuck ?? false, facts])
}

const UNREACHABLE: CommandOutcome = {
  ok: false,
  code: 'not-reachable',
  message: 'The supervisor of this run does not respond.',
}
