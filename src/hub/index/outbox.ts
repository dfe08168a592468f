import type {StoredMessage} from './store.ts'
import type {Change} from './batch.ts'
import {joinThinking, LINE_END, MAX_CHUNK_LENGTH, toBit} from './chunk.ts'
import type {Request, ToThread} from './protocol.ts'

/** Changes waiting for the index thread, in order. */
export interface Outbox {
  append(runId: string, messages: readonly StoredMessage[]): void
  change(change: Exclude<Change, {type: 'append'}>): void
  /** Sends another request after everything that waits. Sends nothing after the thread was asked to end. */
  send(request: Request): void
  /** A batch was written. */
  onWritten(): void
  /** Stops sending and drops the waiting changes. */
  halt(): void
  /** Sends again, to a new thread. */
  resume(): void
  /** How many messages wait, here or in the thread. */
  readonly backlog: number
  /** Whether no more waits than the thread is about to write. */
  readonly hasCapacity: boolean
  /** Sends everything that waits, because a writer waits for capacity. */
  hurry(): void
}

/** Messages of a run that will become one chunk. */
interface Draft {
  type: 'draft'
  runId: string
  firstSeq: number
  lastSeq: number
  at: number
  types: number
  lines: string[]
  characters: number
}

/** Changes that are sent together. */
interface Batch {
  type: 'batch'
  changes: (Draft | Exclude<Change, {type: 'append'}>)[]
  /** The draft of each run that can still grow. */
  drafts: Map<string, Draft>
  messages: number
  characters: number
}

/** A batch is sent at this size or age. Larger batches are faster, but delay reads. */
const MAX_BATCH_MESSAGES = 2000
const MAX_BATCH_LENGTH = 1024 * 1024
const MIN_BATCH_DELAY_MS = 25
/** Under load batches are older, so that messages of a run stay together. */
const MAX_DELAY_MS = 200
const BUSY_MESSAGES = 100

/** One batch is written while the next is sent. */
const MAX_SENT_BATCHES = 2

/** Bounds the backlog of bulk writers, which write run by run, so that small batches suffice. */
const MAX_BACKLOG = 128 * 1024

/** Collects changes into batches and sends them as fast as the thread accepts them. */
export function createOutbox(post: (message: ToThread) => void): Outbox {
  let queue: (Batch | Request)[] = []
  let underway: Batch[] = []
  let isHalted = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  let waitMs = MIN_BATCH_DELAY_MS
  let messageCount = 0
  let characterCount = 0

  return {
    append(runId, messages) {
      for (const message of messages) add(runId, message)
      pump()
    },
    change(change) {
      const batch = openBatch()
      // Later messages belong to a new run of the same id.
      if (change.type === 'remove') batch.drafts.delete(change.runId)
      batch.changes.push(change)
      pump()
    },
    send(request) {
      queue.push(request)
      pump()
    },
    onWritten() {
      settle(underway.shift())
      pump()
    },
    halt() {
      isHalted = true
      for (const item of queue) if (item.type === 'batch') settle(item)
      queue = queue.filter(({type}) => type !== 'batch')
    },
    resume() {
      isHalted = false
      for (const batch of underway) settle(batch)
      underway = []
      pump()
    },
    get backlog() {
      return messageCount
    },
    get hasCapacity() {
      return messageCount <= MAX_BATCH_MESSAGES && characterCount <= MAX_BACKLOG
    },
    hurry() {
      if (queue.length === 0) return
      isDue = true
      pump()
    },
  }

  function add(runId: string, message: StoredMessage): void {
    const batch = openBatch()
    const line = joinThinking(message.json, message.thinking)
    const {length} = line
    const draft = openDraft(batch, runId, message)
    draft.lastSeq = message.seq
    draft.types |= toBit(message.type)
    draft.lines.push(line)
    draft.characters += length
    batch.messages++
    batch.characters += length
    messageCount++
    characterCount += length
  }

  function settle(batch: Batch | undefined): void {
    messageCount -= batch?.messages ?? 0
    characterCount -= batch?.characters ?? 0
  }

  function openBatch(): Batch {
    const last = queue.at(-1)
    if (last?.type === 'batch' && !isFull(last)) return last
    const batch: Batch = {
      type: 'batch',
      changes: [],
      drafts: new Map(),
      messages: 0,
      characters: 0,
    }
    queue.push(batch)
    return batch
  }

  function pump(): void {
    for (let next = queue[0]; next !== undefined && !isHalted; next = queue[0]) {
      if (next.type === 'batch') {
        const isOpen = queue.length === 1 && !isFull(next) && !isDue
        if (isOpen || underway.length === MAX_SENT_BATCHES) break
        underway.push(next)
        post({type: 'write', changes: next.changes.map(seal)})
        next.changes = []
        next.drafts.clear()
        waitMs =
          next.messages >= BUSY_MESSAGES ? Math.min(waitMs * 2, MAX_DELAY_MS) : MIN_BATCH_DELAY_MS
      } else {
        isHalted = next.type === 'leave'
        post(next)
      }
      queue.shift()
    }
    if (queue.length === 0) stopClock()
    else timer ??= setTimeout(onDue, waitMs)
  }

  function onDue(): void {
    isDue = true
    pump()
  }

  function stopClock(): void {
    clearTimeout(timer)
    timer = undefined
    isDue = false
  }
}

/** The draft for a message: the one of its run, if the message is the next and fits. */
function openDraft(batch: Batch, runId: string, {seq, at, json}: StoredMessage): Draft {
  const last = batch.drafts.get(runId)
  const fits = last !== undefined && last.characters + json.length <= MAX_CHUNK_LENGTH
  if (fits && last.lastSeq + 1 === seq) return last
  const draft: Draft = {
    type: 'draft',
    runId,
    firstSeq: seq,
    lastSeq: seq,
    at,
    types: 0,
    lines: [],
    characters: 0,
  }
  batch.drafts.set(runId, draft)
  batch.changes.push(draft)
  return draft
}

/** One large text is sent faster than many small ones. */
function seal(change: Batch['changes'][number]): Change {
  if (change.type !== 'draft') return change
  const {runId, lines, firstSeq, lastSeq, at, types} = change
  return {
    type: 'append',
    runId,
    chunk: {firstSeq, lastSeq, at, types, json: lines.join(LINE_END)},
  }
}

function isFull(batch: Batch): boolean {
  return batch.messages >= MAX_BATCH_MESSAGES || batch.characters >= MAX_BATCH_LENGTH
}
