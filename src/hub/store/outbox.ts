import type {StoredMessage} from '../store.ts'
import type {Change} from './batch.ts'
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
}

/** Changes that are sent together, and what they hold. */
interface Batch {
  type: 'batch'
  changes: Change[]
  messages: number
  characters: number
}

/** A batch goes when it has so much in it, or when it is so old. Larger ones are faster, but keep questions waiting. */
const MOST_MESSAGES = 250
const MOST_CHARACTERS = 500_000
const LONGEST_WAIT_MS = 25

/** One is written while the next is on its way. */
const MOST_UNDERWAY = 2

/** So much of a text can be found. */
const TEXT_LENGTH = 2000

/** Collects changes into batches, and sends them as fast as the thread takes them. */
export function createOutbox(post: (message: ToThread) => void): Outbox {
  let queue: (Batch | Request)[] = []
  let underway: Batch[] = []
  let isHalted = false
  let isDue = false
  let timer: NodeJS.Timeout | undefined

  return {
    append(runId, messages) {
      for (const message of messages) add(runId, message)
      pump()
    },
    change(change) {
      openBatch().changes.push(change)
      pump()
    },
    send(request) {
      queue.push(request)
      pump()
    },
    onWritten() {
      underway.shift()
      pump()
    },
    halt() {
      isHalted = true
      queue = queue.filter(({type}) => type !== 'batch')
    },
    resume() {
      isHalted = false
      underway = []
      pump()
    },
    get backlog() {
      return sum('messages')
    },
    get hasRoom() {
      return sum('messages') <= MOST_MESSAGES && sum('characters') <= MOST_CHARACTERS
    },
  }

  function add(runId: string, message: StoredMessage): void {
    const text = message.text?.slice(0, TEXT_LENGTH)
    const batch = openBatch()
    batch.messages++
    batch.characters += message.json.length + (text?.length ?? 0)
    const last = batch.changes.at(-1)
    const cut = {...message, text}
    if (last?.type === 'append' && last.runId === runId) last.messages.push(cut)
    else batch.changes.push({type: 'append', runId, messages: [cut]})
  }

  function openBatch(): Batch {
    const last = queue.at(-1)
    if (last?.type === 'batch' && !isFull(last)) return last
    const batch: Batch = {type: 'batch', changes: [], messages: 0, characters: 0}
    queue.push(batch)
    return batch
  }

  function pump(): void {
    for (let next = queue[0]; next !== undefined && !isHalted; next = queue[0]) {
      if (next.type === 'batch') {
        const isOpen = queue.length === 1 && !isFull(next) && !isDue
        if (isOpen || underway.length === MOST_UNDERWAY) break
        underway.push(next)
        post({type: 'write', changes: next.changes})
        next.changes = []
      } else {
        isHalted = next.type === 'leave'
        post(next)
      }
      queue.shift()
    }
    if (queue.length === 0) stopClock()
    else timer ??= setTimeout(onDue, LONGEST_WAIT_MS)
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

  function sum(figure: 'messages' | 'characters'): number {
    let total = 0
    for (const batch of underway) total += batch[figure]
    for (const item of queue) if (item.type === 'batch') total += item[figure]
    return total
  }
}

function isFull(batch: Batch): boolean {
  return batch.messages >= MOST_MESSAGES || batch.characters >= MOST_CHARACTERS
}
