import {statSync, type FSWatcher} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {WebSocket, type RawData} from 'ws'
import {sizeOf} from '../../recording/completeness.ts'
import {readBytes} from '../../recording/read/byte-source.ts'
import {tryWatch} from '../../recording/read/try-watch.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import type {CommandOutcome, RunCommand} from '../live/bus.ts'
import {pathOf} from './ingest.ts'
import {
  encodeFrames,
  SENT_FILES,
  type Frame,
  type HubMessage,
  type Offsets,
  type RunnerMessage,
  type SentFile,
} from './protocol.ts'

/** Where a hub is, and what lets us in. */
export interface HubAddress {
  url: string
  token: string
}

/** Tells a hub of a run, from its recording. Never in the way of the run: what the hub lacks, it gets later. */
export interface Reporter {
  /** Whether the hub has everything of a run that is over. */
  readonly isDone: boolean
  /** Settles when the hub has everything, or when that takes too long, and ends the reporter; says which. */
  finish(patienceMs: number): Promise<boolean>
  /** Stops at once. */
  close(): void
}

/** Why a hub does not get a run. */
export type ReportTrouble = 'no-answer' | 'bad-token' | 'refused' | 'replaced'

/** What a reporter needs. */
export interface ReporterOptions {
  /** The folder of the recording. */
  dir: string
  /** Where the hub is now; asked before each attempt. `null` when there is none. */
  locate(): HubAddress | null
  /** Does what somebody who watches wants. */
  onCommand?: ((command: RunCommand) => CommandOutcome | Promise<CommandOutcome>) | undefined
  /** Hears what is wrong, once until the hub is there again. */
  onTrouble?: ((trouble: ReportTrouble, url: string, detail: string) => void) | undefined
}

const KEY = 1
const CHUNK_SIZE = 256 * 1024
/** So much is on its way before the hub has to say that it has it. */
const MOST_UNDERWAY = 4 * 1024 * 1024
const LOOK_MS = 100
const GOODBYE_MS = 500
const PAUSES_MS = [250, 500, 1000, 2000, 5000]
const CONTENT = SENT_FILES.filter((name) => name !== 'timing')

/** Begins to report a run. */
export function createReporter(options: ReporterOptions): Reporter {
  const {dir, locate, onCommand, onTrouble} = options
  let socket: WebSocket | undefined
  let have: Offsets | undefined
  let sent: Offsets | undefined
  let isLocal = false
  let version = 0
  let ackedVersion = -1
  let sentStamp = ''
  let isFinal = false
  let frames: Frame[] = []
  let isClosed = false
  let isDone = false
  let attempts = 0
  let retry: NodeJS.Timeout | undefined
  let watcher: FSWatcher | undefined
  let hasToldTrouble = false
  let wakeFinisher = () => {}
  const timer = setInterval(pump, LOOK_MS).unref()
  connect()

  return {
    get isDone() {
      return isDone
    },
    async finish(patienceMs) {
      // A retry that is due in seconds is due now: there may be no other chance.
      if (retry !== undefined) {
        clearTimeout(retry)
        connect()
      }
      pump()
      if (!isDone && patienceMs > 0) {
        await new Promise<void>((resolve) => {
          // Not to be forgotten, as the others may be: the process waits for it.
          const patience = setTimeout(resolve, patienceMs)
          wakeFinisher = () => {
            clearTimeout(patience)
            resolve()
          }
        })
      }
      close()
      return isDone
    },
    close,
  }

  function connect(): void {
    retry = undefined
    if (isClosed) return
    const address = locate()
    const record = address === null ? null : readRunRecord(dir)
    if (address === null || record === null) return tryLater()
    const {url, token} = address
    const opened = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ingest`, {
      headers: {authorization: `Bearer ${token}`},
      handshakeTimeout: 5000,
      perMessageDeflate: false,
    })
    socket = opened
    opened.on('unexpected-response', (_request, {statusCode = 0}) => {
      const isToken = statusCode === 401 || statusCode === 403
      complain(isToken ? 'bad-token' : 'refused', url, `answered ${statusCode}`)
      opened.terminate()
      // A token that was refused is refused again.
      if (isToken) wakeFinisher()
    })
    opened.on('error', (error) => complain('no-answer', url, error.message))
    opened.on('open', () => {
      say({type: 'offer', key: KEY, record: {...record, host: hostname()}})
    })
    opened.on('message', (data) => {
      try {
        hear(data, url)
      } catch (error) {
        // Whoever this is, the run must not suffer from it.
        complain('refused', url, (error as Error).message)
        opened.terminate()
      }
    })
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      have = undefined
      tryLater()
    })
  }

  function tryLater(): void {
    if (isClosed || isDone) return
    const pause = PAUSES_MS[Math.min(attempts++, PAUSES_MS.length - 1)] ?? 0
    // Those who lost the same hub do not all come back at once.
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2)).unref()
  }

  function complain(trouble: ReportTrouble, url: string, detail: string): void {
    if (hasToldTrouble || isClosed) return
    hasToldTrouble = true
    onTrouble?.(trouble, url, detail)
  }

  function hear(data: RawData, url: string): void {
    const message = JSON.parse(String(data)) as HubMessage
    switch (message.type) {
      case 'have':
        attempts = 0
        hasToldTrouble = false
        // What was on its way when a connection broke is sent again from here.
        if (have === undefined) {
          sent = {...message.offsets}
          sentStamp = ''
          version = 0
        }
        ;({offsets: have, isLocal, version: ackedVersion} = message)
        watchTimes()
        pump()
        return
      case 'refused':
        complain('refused', url, message.message)
        socket?.close()
        return
      case 'replaced':
        complain('replaced', url, '')
        close()
        return
      case 'command':
        void obey(message.id, message.command)
        return
      default:
        // A later hub may have more to say.
        message satisfies never
    }
  }

  async function obey(id: number, command: RunCommand): Promise<void> {
    say({type: 'outcome', id, outcome: await tryToObey(command)})
  }

  async function tryToObey(command: RunCommand): Promise<CommandOutcome> {
    try {
      const outcome = await onCommand?.(command)
      return (
        outcome ?? {
          ok: false,
          code: 'not-reachable',
          message: 'This runner does not accept commands.',
        }
      )
    } catch (error) {
      return {ok: false, code: 'bad-field', message: (error as Error).message}
    }
  }

  function pump(): void {
    try {
      sendNews()
    } catch {
      // The recording is being removed, or too many files are open: the next look may be better.
    }
  }

  /** Sends what is new: bytes first, then the times that tell of them, then the record that tells of all. */
  function sendNews(): void {
    if (have === undefined || sent === undefined || isDone) return
    const stamp = stampOf(join(dir, 'run.json'))
    const record = stamp === sentStamp && !isLocal ? null : readRunRecord(dir)
    if (isLocal) return settle(record?.result !== undefined)
    const times = sizeOf(pathOf(dir, 'timing'))
    const ends = CONTENT.map((name) => [name, sizeOf(pathOf(dir, name))] as const)
    const isAll = [...ends, ['timing', times] as const].every(([name, end]) => send(name, end))
    sendFrames()
    if (!isAll) return
    if (record !== null) {
      sentStamp = stamp
      isFinal = record.result !== undefined
      say({type: 'record', key: KEY, version: ++version, record})
    }
    settle(isFinal && ackedVersion === version && isAcked())
  }

  /** Sends a file up to an end; false when the rest has to wait. */
  function send(name: SentFile, end: number): boolean {
    if (sent === undefined) return false
    while (sent[name] < end) {
      if (underway() >= MOST_UNDERWAY) return false
      const offset = sent[name]
      const bytes = readBytes(pathOf(dir, name), offset, Math.min(CHUNK_SIZE, end - offset))
      if (bytes.length === 0) return false
      frames.push({key: KEY, file: name, offset, bytes})
      if (bytes.length === CHUNK_SIZE) sendFrames()
      sent[name] += bytes.length
    }
    return true
  }

  /** Small chunks go together. */
  function sendFrames(): void {
    if (frames.length > 0) socket?.send(encodeFrames(frames))
    frames = []
  }

  function underway(): number {
    return SENT_FILES.reduce((sum, name) => sum + (sent?.[name] ?? 0) - (have?.[name] ?? 0), 0)
  }

  function isAcked(): boolean {
    return underway() <= 0
  }

  function settle(isComplete: boolean): void {
    if (!isComplete) return
    isDone = true
    wakeFinisher()
  }

  function watchTimes(): void {
    if (isLocal || isClosed) return
    watcher ??= tryWatch(pathOf(dir, 'timing'), pump)
  }

  function say(message: RunnerMessage): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  function close(): void {
    isClosed = true
    clearInterval(timer)
    clearTimeout(retry)
    watcher?.close()
    if (socket !== undefined) leave(socket)
    wakeFinisher()
  }
}

/** Says goodbye; the process does not wait long for one who does not answer. */
function leave(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), GOODBYE_MS)
  socket.on('close', () => clearTimeout(timer))
  socket.close()
}

function stampOf(path: string): string {
  const stats = statSync(path, {throwIfNoEntry: false})
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}
