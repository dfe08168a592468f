import {createHash} from 'node:crypto'
import {writeSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import type {RawData, WebSocket} from 'ws'
import {isRecord} from '../../core/wire/json.ts'
import {sizeOf} from '../../recording/completeness.ts'
import {isRunName, receiveRecording, recordingAt} from '../../recording/recording.ts'
import {loadRunRecord, writeRunRecord} from '../../recording/run-record-file.ts'
import {parseRunRecord} from '../../recording/normalize-run-record.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {PIECE_FILES} from '../../recording/timing.ts'
import {createAppendFiles, type AppendFiles} from './append-files.ts'
import type {Bus, CommandOutcome, RunCommand} from '../live/bus.ts'
import {
  decodeFrames,
  SENT_FILES,
  type Frame,
  type HubMessage,
  type Offsets,
  type SentFile,
} from './protocol.ts'
import {createRateLimit} from '../auth/rate-limit.ts'
import {createTurns} from '../semaphore.ts'

/** Takes runs in from runners, here and elsewhere. */
export interface Ingest {
  /** Takes the runs of one runner; `onSent` counts the bytes that wait for it. */
  accept(socket: WebSocket, onSent?: () => void): void
  /** How many runners are connected. */
  readonly count: number
}

/** What an ingest needs. */
export interface IngestOptions {
  dataDir: string
  bus: Bus
  /** There is more of a run to be read, and perhaps another record. */
  wake(runId: string, hasRecord: boolean): void
  onBytes?: ((count: number) => void) | undefined
}

/** A run that comes from a runner: whoever offered it last is heard. */
interface Incoming {
  runId: string
  marker: string
  dir: string
  isLocal: boolean
  host: string | undefined
  offsets: Offsets
  version: number
  /** The record that was written last, and when. */
  record: RunRecord
  recordAt: number
  /** Notifies the runner that another one takes its place. */
  onReplaced?: (() => void) | undefined
}

const MOST_RUNS = 1000
/** A runner that sends more is read more slowly. As many runs as a connection may have can be offered at once. */
const MESSAGE_RATE = {perSecond: 500, burst: 2000}
const OFFER_RATE = {perSecond: 50, burst: MOST_RUNS}
const MAX_OPEN_FILES = 64
/** A runner hears now and then how far we are, and soon when much has come. */
const TELL_MS = 500
const MUCH = 256 * 1024
const LIVE_MS = 10_000
const ANSWER_MS = 5000

/** Makes the ingest of a data folder. */
export function createIngest({dataDir, bus, wake, onBytes}: IngestOptions): Ingest {
  const incoming = new Map<string, Incoming>()
  const files = createAppendFiles(MAX_OPEN_FILES)
  const offerInTurn = createTurns(1)
  let count = 0
  return {
    accept,
    get count() {
      return count
    },
  }

  function accept(socket: WebSocket, onSent = () => {}): void {
    const runs = new Map<number, Incoming>()
    const leave = new Map<number, () => void>()
    const commands = new Map<number, (outcome: CommandOutcome) => void>()
    /** Runs of which the runner is to hear how far they are. */
    const due = new Set<number>()
    /** How much has come since it heard of any. */
    let untold = 0
    let toldAt = -Infinity
    let timer: NodeJS.Timeout | undefined
    let lastId = 0
    const messages = createRateLimit({...MESSAGE_RATE, mostKeys: 1})
    const offers = createRateLimit({...OFFER_RATE, mostKeys: 1})
    /** Messages that wait for one before them. */
    const queue: {bytes: Buffer; isBinary: boolean}[] = []
    let isBusy = false
    let isClosed = false
    count++
    socket.on('message', (data, isBinary) => {
      queue.push({bytes: toBuffer(data), isBinary})
      if (!isBusy) void work()
    })
    socket.on('close', () => {
      isClosed = true
      queue.length = 0
      count--
      clearTimeout(timer)
      for (const end of leave.values()) end()
      for (const settle of commands.values()) settle(UNREACHABLE)
      for (const run of runs.values()) if (isOurs(run)) release(run)
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
            await hear(JSON.parse(bytes.toString('utf8')))
          }
        }
      } catch (error) {
        // The disk may be full, or the message none: the runner keeps what it has and comes again.
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

    async function hear(message: unknown): Promise<void> {
      if (!isRecord(message)) return
      const {type, key, version, id, outcome} = message
      if (type === 'outcome' && typeof id === 'number' && isOutcome(outcome)) {
        commands.get(id)?.(outcome)
        return
      }
      if (!isKey(key)) return
      const record = parseRunRecord(message['record'])
      if (record === null) refuse(key, 'Invalid run record.')
      else if (type === 'offer') await takeOffer(key, record)
      else if (type === 'record') takeRecord(key, Number(version), record)
    }

    async function takeOffer(key: number, record: RunRecord): Promise<void> {
      if (runs.size >= MOST_RUNS)
        return refuse(key, `Too many runs on one connection: at most ${MOST_RUNS}.`)
      await slowDown(offers.take(''))
      socket.pause()
      const run = await offerInTurn(async () => (isClosed ? null : admit(record)))
      if (isClosed) {
        if (run !== null && isOurs(run)) release(run)
        return
      }
      if (run === null)
        return refuse(key, `Cannot store run ${record.runId}: its id is invalid or in use.`)
      run.onReplaced = () => say({type: 'replaced', key})
      const before = runs.get(key)
      if (before !== undefined && before !== run && isOurs(before)) release(before)
      runs.set(key, run)
      leave.get(key)?.()
      leave.set(
        key,
        bus.serve(run.runId, (command) => pass(key, command)),
      )
      tellHave(key)
      wake(run.runId, true)
    }

    function takeRecord(key: number, version: number, record: RunRecord): void {
      const run = runs.get(key)
      if (run === undefined || !isOurs(run) || run.isLocal) return
      if (record.marker !== run.marker || !Number.isSafeInteger(version)) return
      if (isWorthWriting(run, record)) {
        writeRunRecord(run.dir, {...record, runId: run.runId, host: run.host})
        run.record = record
        run.recordAt = Date.now()
        wake(run.runId, true)
      }
      run.version = version
      tellSoon(key)
      // Whoever is done wants to go.
      if (record.result !== undefined) tellDue()
    }

    function takeBytes(frame: Frame): void {
      const run = runs.get(frame.key)
      if (run === undefined || !isOurs(run) || run.isLocal) return
      const have = run.offsets[frame.file]
      const fresh = frame.bytes.subarray(Math.max(0, have - frame.offset))
      // What would leave a hole is asked for again.
      if (frame.offset <= have && fresh.length > 0) {
        write(files, run, frame.file, fresh)
        onBytes?.(fresh.length)
        untold += fresh.length
        // Only what has its time is read.
        if (frame.file === 'timing') wake(run.runId, false)
      }
      tellSoon(frame.key)
    }

    function tellSoon(key: number): void {
      due.add(key)
      if (untold >= MUCH) tellDue()
      else timer ??= setTimeout(tellDue, Math.max(0, toldAt + TELL_MS - performance.now()))
    }

    function tellDue(): void {
      clearTimeout(timer)
      timer = undefined
      untold = 0
      toldAt = performance.now()
      for (const key of due) tellHave(key)
      due.clear()
    }

    function tellHave(key: number): void {
      const run = runs.get(key)
      if (run === undefined) return
      const {runId, isLocal, offsets, version} = run
      say({type: 'have', key, runId, isLocal, offsets, version})
    }

    function pass(key: number, command: RunCommand): Promise<CommandOutcome> {
      const id = ++lastId
      return new Promise((done) => {
        const patience = setTimeout(() => settle(UNREACHABLE), ANSWER_MS)
        const settle = (outcome: CommandOutcome) => {
          clearTimeout(patience)
          commands.delete(id)
          done(outcome)
        }
        commands.set(id, settle)
        say({type: 'command', key, id, command})
      })
    }

    function refuse(key: number, message: string): void {
      say({type: 'refused', key, message})
    }

    function say(message: HubMessage): void {
      if (socket.readyState !== socket.OPEN) return
      socket.send(JSON.stringify(message), onSent)
      onSent()
    }
  }

  /** Finds the place of a run, or makes one. Short names are not the only ones of their kind in the world. */
  async function admit(record: RunRecord): Promise<Incoming | null> {
    if (!isRunName(record.runId)) return null
    // Runs of the same name from several machines differ by their markers.
    const digest = createHash('sha256').update(record.marker).digest('hex').slice(0, 8)
    for (const runId of [record.runId, `${record.runId.slice(0, 55)}-${digest}`]) {
      const dir = join(resolve(dataDir), 'runs', runId)
      const known = await loadRunRecord(dir)
      if (known === null) {
        const host = record.host ?? 'elsewhere'
        if (receiveRecording(dataDir, {...record, ...NOT_OVER, runId, host}) !== null) {
          return take(runId, dir, {...record, ...NOT_OVER, host})
        }
      } else if (known.marker === record.marker) return take(runId, dir, known)
    }
    return null
  }

  function take(runId: string, dir: string, record: RunRecord): Incoming {
    const before = incoming.get(runId)
    if (before !== undefined) {
      release(before)
      before.onReplaced?.()
    }
    const {marker, host} = record
    const run: Incoming = {
      runId,
      marker,
      dir,
      isLocal: host === undefined,
      host,
      offsets: measure(dir),
      version: 0,
      record,
      recordAt: Date.now(),
    }
    incoming.set(runId, run)
    // Every recording has these from the beginning.
    if (!run.isLocal) for (const name of ['out', 'timing'] as const) files.open(pathOf(dir, name))
    return run
  }

  /** Whoever offered the run again has taken it over. */
  function isOurs(run: Incoming): boolean {
    return incoming.get(run.runId) === run
  }

  function release(run: Incoming): void {
    for (const name of SENT_FILES) files.close(pathOf(run.dir, name))
    if (incoming.get(run.runId) === run) incoming.delete(run.runId)
  }
}

/** That a run is over is for the record that comes after the bytes. */
const NOT_OVER = {result: undefined, endedAt: undefined, sizes: undefined}

/** How far a run is changes all the time, and is worth a look now and then. */
function isWorthWriting({record, recordAt}: Incoming, next: RunRecord): boolean {
  if (Date.now() - recordAt > LIVE_MS) return true
  const {live, ...rest} = record
  const {live: nextLive, ...nextRest} = next
  const wasStuck = live?.isStuck ?? false
  const isStuck = nextLive?.isStuck ?? false
  return wasStuck !== isStuck || JSON.stringify(rest) !== JSON.stringify(nextRest)
}

function write(files: AppendFiles, run: Incoming, name: SentFile, bytes: Uint8Array): void {
  const file = files.open(pathOf(run.dir, name))
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(file, bytes, written)
  } finally {
    run.offsets[name] += written
  }
}

function measure(dir: string): Offsets {
  const sizes = SENT_FILES.map((name) => [name, sizeOf(pathOf(dir, name))])
  return Object.fromEntries(sizes) as Offsets
}

/** Where a file of a recording is that is sent. */
export function pathOf(dir: string, name: SentFile): string {
  return recordingAt(dir)[name === 'timing' ? 'timing' : PIECE_FILES[name]]
}

const UNREACHABLE: CommandOutcome = {
  ok: false,
  code: 'not-reachable',
  message: 'The supervisor of this run does not respond.',
}

/** A key has to fit into a frame. */
function isKey(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32
}

function isOutcome(value: unknown): value is CommandOutcome {
  return isRecord(value) && typeof value['ok'] === 'boolean'
}

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
