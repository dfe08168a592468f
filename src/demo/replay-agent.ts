// Stands for an agent: prints a story as the agent printed it, in its time, and asks as it asked.
import {writeSync} from 'node:fs'
import {join} from 'node:path'
import process from 'node:process'
import {createInterface} from 'node:readline'
import {setTimeout as delay} from 'node:timers/promises'
import {isRecord} from '../core/index.ts'
import {adapt, readLines, type ToldLine} from './telling.ts'
import type {StandInJob} from './stand-in.ts'

/** Whether to be gone, when whoever started us is. */
const LOOK_MS = 1000

const job = JSON.parse(process.env['VITRINE_DEMO'] ?? '{}') as StandInJob
const parent = process.ppid
/** When the story began; later, when it had to wait. */
let beganAt = Date.now()

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
setInterval(() => {
  if (process.ppid !== parent) process.exit(1)
}, LOOK_MS).unref()

const stdin = job.asks ? listen() : undefined
await tell(readLines(job.folder))
await sleepUntil(job.durationMs)
// Who is spoken to stays until nobody has anything to say.
await stdin?.ended
if (job.signal !== null) process.kill(process.pid, job.signal)
process.exit(job.exitCode ?? 0)

async function tell(lines: readonly ToldLine[]): Promise<void> {
  for (const {atMs, text} of lines) {
    if (stdin !== undefined && isInitialized(text)) {
      print(text.replace(/(?<="request_id":")[^"]*/, await stdin.initialized))
      continue
    }
    await sleepUntil(atMs)
    print(text)
    const request = stdin === undefined ? undefined : readRequest(text)
    if (request !== undefined && stdin !== undefined) {
      const askedAt = Date.now()
      const refusal = await stdin.answerTo(request)
      beganAt += Date.now() - askedAt
      if (refusal !== undefined) return refuse(refusal)
    }
  }
}

/** Goes on as it went on when somebody said no. */
async function refuse(reason: string): Promise<void> {
  const words = JSON.stringify(reason).slice(1, -1)
  for (const {atMs, text} of readLines(join(job.folder, 'denied'))) {
    await sleepUntil(atMs)
    print(text.replaceAll('$REASON', () => words))
  }
}

function print(text: string): void {
  writeSync(
    1,
    adapt(text, process.cwd(), (ms) => beganAt + ms / job.speed),
  )
}

async function sleepUntil(atMs: number): Promise<void> {
  await delay(Math.max(0, beganAt + atMs / job.speed - Date.now()))
}

/** Hears what is said to the agent, as Claude does with `--input-format stream-json`. */
function listen() {
  const answers = new Map<string, (refusal: string | undefined) => void>()
  let initialize: (id: string) => void = () => {}
  const initialized = new Promise<string>((resolve) => (initialize = resolve))
  const lines = createInterface({input: process.stdin})
  const ended = new Promise<void>((resolve) => lines.on('close', resolve))
  lines.on('line', (line) => {
    const record: unknown = JSON.parse(line)
    if (!isRecord(record)) return
    if (record['type'] === 'control_request') initialize(String(record['request_id']))
    const response = record['response']
    if (record['type'] !== 'control_response' || !isRecord(response)) return
    const decision = response['response']
    const isAllowed = isRecord(decision) && decision['behavior'] === 'allow'
    const message = isRecord(decision) ? String(decision['message']) : String(response['error'])
    answers.get(String(response['request_id']))?.(isAllowed ? undefined : message)
  })
  return {
    initialized,
    ended,
    /** Why a request was refused; `undefined` when it was not. */
    answerTo: (requestId: string) =>
      new Promise<string | undefined>((resolve) => answers.set(requestId, resolve)),
  }
}

function isInitialized(text: string): boolean {
  return text.startsWith('{"type":"control_response"')
}

function readRequest(text: string): string | undefined {
  if (!text.includes('"can_use_tool"')) return undefined
  return /"request_id":"([^"]*)"/.exec(text)?.[1]
}
