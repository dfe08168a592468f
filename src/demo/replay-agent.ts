// Replays a story as a process: prints what the agent printed, with its timing and its permission requests.
import {writeSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {createControlListener} from '../fixture/control-listener.ts'
import {replayScript} from '../fixture/replay-script.ts'
import type {Part} from '../fixture/script.ts'
import {moveToNow, readStoryParts} from './stories.ts'
import type {FakeProgramJob} from './fake-program.ts'

/** The process exits when its parent is gone. */
const PARENT_POLL_INTERVAL_MS = 1000

const job = JSON.parse(process.env['VITRINE_DEMO'] ?? '{}') as FakeProgramJob
const parent = process.ppid

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, PARENT_POLL_INTERVAL_MS).unref()

const listener = job.asks ? createControlListener(process.stdin) : undefined
await replayScript(
  {parts: readStoryParts(job.folder), endsAtMs: job.durationMs},
  {speed: job.speed, listener, write, onDenied: readDeniedParts},
)
// An agent with a control channel exits when stdin is closed.
await listener?.ended
if (job.signal !== null) process.kill(process.pid, job.signal)
process.exit(job.exitCode ?? 0)

async function write(_to: Part['to'], bytes: Buffer, beganAt: number): Promise<void> {
  writeSync(
    1,
    moveToNow(bytes, process.cwd(), (ms) => beganAt + ms / job.speed),
  )
}

/** Reads the part that follows a denied request. */
function readDeniedParts(reason: string): Part[] {
  const words = JSON.stringify(reason).slice(1, -1)
  return readStoryParts(join(job.folder, 'denied')).map(({atMs, to, bytes}) => ({
    atMs,
    to,
    bytes: Buffer.from(bytes.toString('utf8').replaceAll('$REASON', () => words)),
  }))
}
