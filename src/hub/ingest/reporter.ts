import {statSync, type FSWatcher} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {WebSocket, type RawData} from 'ws'
import {attempt} from '../../recording/attempt.ts'
import {sizeOf, stampOf} from '../../recording/completeness.ts'
import {readBytes} from '../../recording/read/byte-source.ts'
import {tryWatch} from '../../recording/read/try-watch.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import type {CommandOutcome, RunCommand} from '../live/bus.ts'
import {
  pathOf,
  encodeFrames,
  SENT_FILES,
  type Frame,
  type Offsets,
  type SentFile,
} from './protocol.ts'
import type {HubMessage, RunnerMessage} from '../protocol/ingest-messages.ts'

/** Where to find a hub, and the token for it. */
export interface HubAddress {
  url: string
  token: string
}

/** Sends the recording of a run to a hub, without ever delaying the run: missing data is sent later. */
export interface Reporter {
  /** Whether the run has ended and the hub has all of it. */
  readonly isDone: boolean
  /** Waits until the hub has everything, or for the timeout, then closes. Resolves to `isDone`. */
  finish(timeoutMs: number): Promise<boolean>
  /** Stops at once. */
  close(): void
}

/** Why the hub does not receive a run. */
export type ReportTrouble = 'no-answer' | 'bad-token' | 'refused' | 'replaced'

/** Options of {@link createReporter}. */
export interface ReporterOptions {
  dir: string
  /** Returns the current address of the hub; called before each attempt. `null` if there is no hub. */
  locate(): HubAddress | null
  /** Executes a command that a client of the hub sent to the run. */
  onCommand?: ((command: RunCommand) => CommandOutcome | Promise<CommandOutcome>) | undefined
  /** Called with the first error, and again only after a successful connection. */
  onTrouble?: ((trouble: ReportTrouble, url: string, detail: string) => void) | undefined
}

const KEY = 1
const CHUNK_SIZE = 256 * 1024
/** Bytes that may be sent before the hub acknowledges them. */
const MAX_IN_FLIGHT_BYTES = 4 * 1024 * 1024
const POLL_INTERVAL_MS = 100
const CLOSE_TIMEOUT_MS = 500
const RETRY_DELAYS_MS = [250, 500, 1000, 2000, 5000]
const CONTENT = SENT_FILES.filter((name) => name !== 'timing')

/** Starts reporting a run. */
export function createReporter(options: ReporterOptions): Reporter {
  const {dir, locate, onCommand, onTrouble} = options
  let socket: WebSocket | undefined
  let acked: Offsets | undefined
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
  let hasReportedTrouble = false
  let resolveFinish = () => {}
  const timer = setInterval(trySendChanges, POLL_INTERVAL_MS).unref()
  connect()

  return {
    get isDone() {
      return isDone
    },
    async finish(timeoutMs) {
      // Retries at once: there may be no other chance.
      if (retry !== undefined) {
        clearTimeout(retry)
        connect()
      }
      trySendChanges()
      if (!isDone && timeoutMs > 0) {
        await new Promise<void>((resolve) => {
          // Not `unref`ed as the other timers: the process waits for it.
          const timeout = setTimeout(resolve, timeoutMs)
          resolveFinish = () => {
            clearTimeout(timeout)
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
    if (address === null || record === null) return scheduleRetry()
    const {url, token} = address
    const opened = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ingest`, {
      headers: {authorization: `Bearer ${token}`},
      handshakeTimeout: 5000,
      perMessageDeflate: false,
    })
    socket = opened
    opened.on('unexpected-response', (_request, {statusCode = 0}) => {
      const isToken = statusCode === 401 || statusCode === 403
      reportTrouble(isToken ? 'bad-token' : 'refused', url, `answered ${statusCode}`)
      opened.terminate()
      // A retry with the same token would fail as well.
      if (isToken) resolveFinish()
    })
    opened.on('error', (error) => reportTrouble('no-answer', url, error.message))
    opened.on('open', () => {
      send({type: 'offer', key: KEY, record: {...record, host: hostname()}})
    })
    opened.on('message', (data) => {
      try {
        receive(data, url)
      } catch (error) {
        // An invalid message of the hub must not affect the run.
        reportTrouble('refused', url, (error as Error).message)
        opened.terminate()
      }
    })
    opened.on('close', () => {
      if (socket !== opened) return
      socket = undefined
      acked = undefined
      scheduleRetry()
    })
  }

  function scheduleRetry(): void {
    if (isClosed || isDone) return
    const delayMs = RETRY_DELAYS_MS[Math.min(attempts++, RETRY_DELAYS_MS.length - 1)] ?? 0
    // Random jitter: runners that lost the same hub must not reconnect all at once.
    retry = setTimeout(connect, delayMs * (0.5 + Math.random() / 2)).unref()
  }

  function reportTrouble(trouble: ReportTrouble, url: string, detail: string): void {
    if (hasReportedTrouble || isClosed) return
    hasReportedTrouble = true
    onTrouble?.(trouble, url, detail)
  }

  function receive(data: RawData, url: string): void {
    const message = JSON.parse(String(data)) as HubMessage
    switch (message.type) {
      case 'have':
        attempts = 0
        hasReportedTrouble = false
        // Data that was in flight when the connection broke is sent again.
        if (acked === undefined) {
          sent = {...message.offsets}
          sentStamp = ''
          version = 0
        }
        ;({offsets: acked, isLocal, version: ackedVersion} = message)
        if (!isLocal && !isClosed) watcher ??= tryWatch(pathOf(dir, 'timing'), trySendChanges)
        trySendChanges()
        return
      case 'refused':
        reportTrouble('refused', url, message.message)
        socket?.close()
        return
      case 'replaced':
        reportTrouble('replaced', url, '')
        close()
        return
      case 'command':
        void executeCommand(message.id, message.command)
        return
      default:
        // Newer hubs may send other messages.
        message satisfies never
    }
  }

  async function executeCommand(id: number, command: RunCommand): Promise<void> {
    let outcome: CommandOutcome
    try {
      const message = 'This runner does not accept commands.'
      const refused = {ok: false, code: 'not-reachable', message} as const
      outcome = (await onCommand?.(command)) ?? refused
    } catch (error) {
      outcome = {ok: false, code: 'bad-field', message: (error as Error).message}
    }
    send({type: 'outcome', id, outcome})
  }

  function trySendChanges(): void {
    // If the recording is being removed, or too many files are open, the next poll tries again.
    attempt(sendChanges)
    if (isDone) resolveFinish()
  }

  /** Sends new data in an order that keeps the copy consistent: bytes, then their timing, then the record. */
  function sendChanges(): void {
    if (acked === undefined || sent === undefined || isDone) return
    const stamp = readStamp(join(dir, 'run.json'))
    const record = stamp === sentStamp && !isLocal ? null : readRunRecord(dir)
    if (isLocal) {
      isDone = record?.result !== undefined
      return
    }
    const timingSize = sizeOf(pathOf(dir, 'timing'))
    const ends = CONTENT.map((name) => [name, sizeOf(pathOf(dir, name))] as const)
    const isAll = [...ends, ['timing', timingSize] as const].every(([name, end]) =>
      sendFile(name, end),
    )
    sendFrames()
    if (!isAll) return
    if (record !== null) {
      sentStamp = stamp
      const isEndedSession = record.isTranscript === true && record.endedAt !== undefined
      isFinal = record.result !== undefined || isEndedSession
      send({type: 'record', key: KEY, version: ++version, record})
    }
    isDone = isFinal && ackedVersion === version && countInFlight() <= 0
  }

  /** Sends a file up to `end`; returns false if the rest has to wait. */
  function sendFile(name: SentFile, end: number): boolean {
    if (sent === undefined) return false
    while (sent[name] < end) {
      if (countInFlight() >= MAX_IN_FLIGHT_BYTES) return false
      const offset = sent[name]
      const bytes = readBytes(pathOf(dir, name), offset, Math.min(CHUNK_SIZE, end - offset))
      if (bytes.length === 0) return false
      frames.push({key: KEY, file: name, offset, bytes})
      if (bytes.length === CHUNK_SIZE) sendFrames()
      sent[name] += bytes.length
    }
    return true
  }

  /** Sends small chunks together. */
  function sendFrames(): void {
    if (frames.length > 0) socket?.send(encodeFrames(frames))
    frames = []
  }

  function countInFlight(): number {
    return SENT_FILES.reduce((sum, name) => sum + (sent?.[name] ?? 0) - (acked?.[name] ?? 0), 0)
  }

  function send(message: RunnerMessage): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }

  function close(): void {
    isClosed = true
    clearInterval(timer)
    clearTimeout(retry)
    watcher?.close()
    if (socket !== undefined) closeSocket(socket)
    resolveFinish()
  }
}

/** Closes the connection; the process waits only briefly for a hub that does not respond. */
function closeSocket(socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS)
  socket.on('close', () => clearTimeout(timer))
  socket.close()
}

function readStamp(path: string): string {
  const stats = statSync(path, {throwIfNoEntry: false})
  return stats === undefined ? '' : stampOf(stats)
}
