// Replays a story as a process: prints what the agent printed, with its timing and its permission requests.
import {writeSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {setTimeout as delay} from 'node:timers/promises'
import {
  withRequestId,
  isResponse,
  createControlListener,
  readRequestId,
} from '../fixture/control-listener.ts'
import {moveToNow, readStoryLines, type StoryLine} from './story-lines.ts'
import type {FakeProgramJob} from './fake-program.ts'

/** The process exits when its parent is gone. */
const PARENT_POLL_INTERVAL_MS = 1000

const job = JSON.parse(process.env['VITRINE_DEMO'] ?? '{}') as FakeProgramJob
const parent = process.ppid
/** When the story started, moved forward by the time spent waiting for answers. */
let beganAt = Date.now()

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, PARENT_POLL_INTERVAL_MS).unref()

const stdin = job.asks ? createControlListener(process.stdin) : undefined
await replayLines(readStoryLines(job.folder))
await sleepUntil(job.durationMs)
// An agent with a control channel exits when stdin is closed.
await stdin?.ended
if (job.signal !== null) process.kill(process.pid, job.signal)
process.exit(job.exitCode ?? 0)

async function replayLines(lines: readonly StoryLine[]): Promise<void> {
  for (const {atMs, text} of lines) {
    if (stdin !== undefined && isResponse(text)) {
      print(withRequestId(text, (await stdin.waitForRequest()) ?? ''))
      continue
    }
    await sleepUntil(atMs)
    print(text)
    const request = stdin === undefined ? undefined : readRequestId(text)
    if (request !== undefined && stdin !== undefined) {
      const askedAt = Date.now()
      const answer = await stdin.waitForAnswer(request)
      beganAt += Date.now() - askedAt
      if (answer?.refusal !== undefined) return replayDenied(answer.refusal)
    }
  }
}

/** Replays the part that follows a denied request. */
async function replayDenied(reason: string): Promise<void> {
  const words = JSON.stringify(reason).slice(1, -1)
  for (const {atMs, text} of readStoryLines(join(job.folder, 'denied'))) {
    await sleepUntil(atMs)
    print(text.replaceAll('$REASON', () => words))
  }
}

function print(text: string): void {
  writeSync(
    1,
    moveToNow(text, process.cwd(), (ms) => beganAt + ms / job.speed),
  )
}

async function sleepUntil(atMs: number): Promise<void> {
  await delay(Math.max(0, beganAt + atMs / job.speed - Date.now()))
}
