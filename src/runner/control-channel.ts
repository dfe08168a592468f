import type {Writable} from 'node:stream'
import type {Control} from '../core/events/adapter.ts'
import type {AgentEvent} from '../core/events/events.ts'
import type {Waiting} from '../core/run/waiting.ts'
import {isRecord} from '../core/wire/json.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {parseRecord} from '../core/wire/records.ts'
import {
  createPermissionBroker,
  type PermissionBroker,
  type PermissionNotice,
  type PermissionOptions,
} from './permission-broker.ts'

/** Passes permission requests to the broker, and writes prompts and answers to the stdin of an agent. */
export interface ControlChannel extends Pick<PermissionBroker, 'answer'> {
  onEvent(event: AgentEvent): void
  /** Reads control requests, which are not events, from the output. */
  onChunk(chunk: Uint8Array): void
  /** Closes stdin once the agent only waits for that. */
  tick(waiting: Waiting, now: number): void
  close(): void
}

export interface ControlOptions {
  control: Control
  permissions: PermissionOptions
  cwd: string
  stdin: Writable
  /** Records a message that was sent. */
  record(text: string): void
  onNotice(notice: PermissionNotice): void
}

/** Background work that ends just before the turn makes the agent start another turn. */
const IDLE_TIMEOUT_MS = 1000

/** Opens the control channel of an agent and sends the prompt. */
export function openControlChannel(prompt: string, options: ControlOptions): ControlChannel {
  const {control, cwd, stdin, onNotice} = options
  const broker = createPermissionBroker(options.permissions, {control, cwd, send, onNotice})
  const lines = createLineDecoder(readLine)
  let isClosed = false
  // An agent may exit before it has read all input.
  stdin.on('error', () => {})
  send(control.open(prompt))

  return {
    answer: broker.answer,
    onEvent(event) {
      if (event.type === 'permission-request') broker.submit(event)
    },
    onChunk: (chunk) => void lines.push(chunk),
    tick({why, since}, now) {
      // The agent denies every request after stdin is closed, so wait for work that may still ask.
      if (why === 'lingering' && now - since >= IDLE_TIMEOUT_MS) close()
    },
    close,
  }

  function send(text: string): void {
    if (isClosed || stdin.destroyed) return
    stdin.write(text)
    options.record(text)
  }

  /** Refuses requests that are not supported, because the agent waits for a response to each one. */
  function readLine(raw: string): string {
    const record = raw.includes('"control_') ? parseRecord(raw) : undefined
    if (record?.type !== 'json' || !isRecord(record.value)) return ''
    const cancelled = control.findCancelled?.(record.value)
    if (cancelled !== undefined) broker.cancel(cancelled)
    const refusal = control.refuse?.(record.value)
    if (refusal !== undefined) send(refusal)
    return ''
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    broker.close()
    stdin.end()
  }
}
