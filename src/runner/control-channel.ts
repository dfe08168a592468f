import type {Writable} from 'node:stream'
import type {Control} from '../core/events/adapter.ts'
import type {AgentEvent} from '../core/events/events.ts'
import type {RunState} from '../core/run/run-state.ts'
import type {Waiting} from '../core/run/waiting.ts'
import {isRecord} from '../core/wire/json.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import {parseRecord} from '../core/wire/records.ts'
import {
  openPermissionDesk,
  type PermissionDesk,
  type PermissionOptions,
} from './permission-broker.ts'
import type {Notice} from './agent-run.ts'

/** Messages to an agent on its stdin. */
export interface Conversation extends Pick<PermissionDesk, 'answer'> {
  hear(event: AgentEvent, state: RunState): void
  /** Reads control requests, which are not events, from the output. */
  overhear(chunk: Uint8Array): void
  /** Closes stdin once the agent only waits for that. */
  tick(waiting: Waiting, now: number): void
  close(): void
}

export interface Parties {
  control: Control
  permissions: PermissionOptions
  cwd: string
  stdin: Writable
  /** Records a message that was sent. */
  record(text: string): void
  onNotice(notice: Notice): void
  /** Called when a request was answered or cancelled. */
  onSettled(requestId: string): void
}

/** Background work that ends just before the turn makes the agent start another turn. */
const PATIENCE_MS = 1000

/** Opens the control channel of an agent and sends the prompt. */
export function beginConversation(prompt: string, parties: Parties): Conversation {
  const {control, stdin} = parties
  const desk = openPermissionDesk(parties.permissions, {
    control,
    cwd: parties.cwd,
    send,
    onAsked: (request) => parties.onNotice({type: 'asked', request}),
    onAnswered(answer) {
      parties.onNotice({type: 'answered', answer})
      parties.onSettled(answer.request.requestId ?? '')
    },
    onCancelled(requestId) {
      parties.onNotice({type: 'cancelled', requestId})
      parties.onSettled(requestId)
    },
  })
  const lines = createLineDecoder(readLine)
  let isOver = false
  // An agent may exit before it has read all input.
  stdin.on('error', () => {})
  send(control.open(prompt))

  return {
    answer: desk.answer,
    hear(event) {
      if (event.type === 'permission-request') desk.ask(event)
    },
    overhear: (chunk) => void lines.push(chunk),
    tick({why, since}, now) {
      // The agent denies every request after stdin is closed, so wait for work that may still ask.
      if (why === 'lingering' && now - since >= PATIENCE_MS) close()
    },
    close,
  }

  function send(text: string): void {
    if (isOver || stdin.destroyed) return
    stdin.write(text)
    parties.record(text)
  }

  /** Refuses requests that are not supported, because the agent waits for a response to each one. */
  function readLine(raw: string): string {
    const record = raw.includes('"control_') ? parseRecord(raw) : undefined
    if (record?.type !== 'json' || !isRecord(record.value)) return ''
    const cancelled = control.findCancelled?.(record.value)
    if (cancelled !== undefined) desk.cancel(cancelled)
    const refusal = control.refuse?.(record.value)
    if (refusal !== undefined) send(refusal)
    return ''
  }

  function close(): void {
    if (isOver) return
    isOver = true
    desk.close()
    stdin.end()
  }
}
