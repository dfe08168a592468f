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

/** What is said to an agent on its stdin, while it needs to be told anything. */
export interface Conversation extends Pick<PermissionDesk, 'answer'> {
  /** Hears what the agent does. */
  hear(event: AgentEvent, state: RunState): void
  /** Hears what it prints, for questions that are no events. */
  overhear(chunk: Uint8Array): void
  /** Closes stdin once the agent waits for nothing but that. */
  tick(waiting: Waiting, now: number): void
  close(): void
}

/** Who speaks to whom, and who writes it down. */
export interface Parties {
  control: Control
  permissions: PermissionOptions
  cwd: string
  stdin: Writable
  /** Writes down what was said. */
  record(text: string): void
  onNotice(notice: Notice): void
  /** Somebody answered a request. */
  onSettled(requestId: string): void
}

/** What ended in the background just before the turn did makes the agent begin another. */
const PATIENCE_MS = 1000

/** Begins to speak with an agent. */
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
  // Who ends before it has read all is no trouble of ours.
  stdin.on('error', () => {})
  send(control.open(prompt))

  return {
    answer: desk.answer,
    hear(event) {
      if (event.type === 'permission-request') desk.ask(event)
    },
    overhear: (chunk) => void lines.push(chunk),
    tick({why, since}, now) {
      // After stdin is closed the agent denies every request, so work that may still ask is waited for.
      if (why === 'lingering' && now - since >= PATIENCE_MS) close()
    },
    close,
  }

  function send(text: string): void {
    if (isOver || stdin.destroyed) return
    stdin.write(text)
    parties.record(text)
  }

  /** A question that nobody here answers must not leave the agent waiting. */
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
