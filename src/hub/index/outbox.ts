import type {StoredMessage} from './store.ts'
import type {Change} from './batch.ts'
import {joinThinking, LINE_END, MOST_CHARACTERS as MOST_IN_CHUNK, toBit} from './chunk.ts'
import type {Request, ToThread} from './protocol.ts'

/** What waits for the thread of the index, in order. */
export interface Outbox {
  append(runId: string, messages: readonly StoredMessage[]): void
  change(change: Exclude<Change, {type: 'append'}>): void
  /** Sends anything else, after all that waits. Once the thread is told to leave, nothing is sent any more. */
  send(request: Request): void
  /** A batch was written. */
  onWritten(): void
  /** Sends nothing any more, and forgets the changes that wait. */
  halt(): void
  /** Sends again: there is another thread. */
  resume(): void
  /** How many messages wait, here or in the thread. */
  readonly backlog: number
  /** No more waits than the thread is about to write. */
  readonly hasRoom: boolean
  /** Sends what waits, for somebody waits for room. */
  hurry(): void
}

/** Messages of a run that will be one chunk. */
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

/** Changes that are sent together, and what they hold. */
interface Batch {
  type: 'batch'
  changes: (Draft | Exclude<Change, {type: 'append'}>)[]
  /** The draft of each run that may still grow. */
  drafts: Map<string, Draft>
  messages: number
  characters: number
}

/** A batch goes when it has so much in it, or when it is so old. Larger ones are faster, but keep questions waiting. */
const MOST_MESSAGES = 2000
const MOST_CHARACTERS = 1024 * 1024
const SHORTEST_WAIT_MS = 25
/** While much comes, batches are older, for the messages of a run to be together. */
const LONGEST_WAIT_MS = 200
const MUCH = 100

/** One is written while the next is on its way. */
const MOST_UNDERWAY = 2

/** Whoever fills the index in a rush keeps no more waiting: it comes run by run, and small batches are as good. */
const MOST_WAITING = 128 * 1024

/** Collects changes into batches, and sends them as fast as the thread takes them. */
export function createOutbox(post: (message: ToThread) => void): Outbox {
  let queue: (Batch | Request)[] = []
  let underway: Batch[] = []
  let isHalted = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined
  let waitMs = SHORTEST_WAIT_MS
  let messageCount = 0
  let characterCount = 0

  return {
    append(runId, messages) {
      for (const message of messages) add(runId, message)
      pump()
    },
    change(change) {
      const batch = openBatch()
      // What comes after it is not of the run that it was.
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
    get hasRoom() {
      return messageCount <= MOST_MESSAGES && characterCount <= MOST_WAITING
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
        if (isOpen || underway.length === MOST_UNDERWAY) break
        underway.push(next)
        post({type: 'write', changes: next.changes.map(seal)})
        next.changes = []
        next.drafts.clear()
        waitMs = next.messages >= MUCH ? Math.min(waitMs * 2, LONGEST_WAIT_MS) : SHORTEST_WAIT_MS
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

/** The draft that a message goes to: the one of its run, when it follows and there is room. */
function openDraft(batch: Batch, runId: string, {seq, at, json}: StoredMessage): Draft {
  const last = batch.drafts.get(runId)
  const hasRoom = last !== undefined && last.characters + json.length <= MOST_IN_CHUNK
  if (hasRoom && last.lastSeq + 1 === seq) return last
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
  return batch.messages >= MOST_MESSAGES || batch.characters >= MOST_CHARACTERS
}
