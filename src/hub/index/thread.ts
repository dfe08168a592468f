import type {Worker} from 'node:worker_threads'
import {createThread} from '../threads.ts'
import {removeIndexFiles} from './files.ts'
import {createOutbox, type Outbox} from './outbox.ts'
import {OPENING, type FromThread, type Question, type Request} from './protocol.ts'
import type {Reads} from './reads.ts'

/** Small, so that the process stays small: most objects are short-lived. */
const MAX_YOUNG_GENERATION_MB = 4

/** The index thread, as the rest of the process sees it. */
export interface Thread {
  outbox: Outbox
  /** Reads from the index, after everything added before. */
  ask<M extends keyof Reads>(
    method: M,
    ...args: Parameters<Reads[M]>
  ): Promise<ReturnType<Reads[M]>>
  /** Resolves when everything added is written; rejects when some of it was not. */
  settle(): Promise<void>
  /** Resolves when every message added is searchable. */
  whenSearchable(): Promise<void>
  /** Resolves when there is an empty index. */
  clear(): Promise<void>
  /** Resolves when the thread has ended. */
  close(): Promise<void>
  /** Resolves when the outbox has capacity, or never will. */
  whenDrained(): Promise<void>
  readonly isOver: boolean
}

/**
 * Starts the thread; rejects when it cannot open the index. To reset the index, the thread is ended (only that
 * surely closes a database), the files are removed, and a new thread is started.
 */
export async function startThread(
  path: string,
  onDamage: (reason: string) => void,
): Promise<Thread> {
  const requests = new Map<number, Settlers>()
  let lastId = OPENING
  let waiting: (() => void)[] = []
  let writeError: Error | undefined
  let isDamaged = false
  let isOpen = false
  /** Damage found before the index was in use. */
  let flaw: string | undefined
  /** The last `leave` request, and the final one. */
  let leavingId: number | undefined
  let closingId: number | undefined
  let closing: Promise<unknown> | undefined
  let end: Error | undefined

  const opened = new Promise((resolve, reject) => requests.set(OPENING, {resolve, reject}))
  let worker = start()
  const outbox = createOutbox((message) => {
    if (message.type === 'leave') leavingId = message.id
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    worker.postMessage(message)
  })
  await opened

  return {
    outbox,
    async ask(method, ...args) {
      const question = {method, args} as Question
      // Messages over a port are untyped.
      return (await request((id) => ({type: 'read', id, question}))) as never
    },
    async settle() {
      await request((id) => ({type: 'settle', id}))
      const error = writeError
      writeError = undefined
      if (error !== undefined) throw error
    },
    async whenSearchable() {
      await request((id) => ({type: 'seek', id}))
    },
    async clear() {
      await request((id) => ({type: 'leave', id}))
      // Everything added before is lost, written or not.
      writeError = undefined
    },
    async close() {
      if (end === undefined) {
        closing ??= request((id) => ({type: 'leave', id: (closingId = id)}))
      }
      await closing
    },
    async whenDrained() {
      while (!outbox.hasCapacity && !hasEnded()) {
        outbox.hurry()
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    get isOver() {
      return hasEnded() || closing !== undefined
    },
  }

  function start(): Worker {
    const started = createThread('worker', import.meta.url, {
      data: path,
      maxYoungGenerationMb: MAX_YOUNG_GENERATION_MB,
    })
    started.on('message', receive)
    started.on('error', giveUp)
    started.on('exit', onExit)
    return started
  }

  function receive(message: FromThread): void {
    if (isOpen) reportDamage()
    switch (message.type) {
      case 'written':
        writeError ??= message.error
        outbox.onWritten()
        wake()
        break
      case 'answer':
        if (message.id === OPENING) onOpen()
        take(message.id)?.resolve(message.value)
        break
      case 'refusal':
        take(message.id)?.reject(message.error)
        break
      case 'damage':
        onBroken(message.reason)
        break
      default:
        message satisfies never
    }
  }

  function onBroken(reason: string): void {
    // A new index that is damaged immediately cannot be repaired.
    if (isDamaged) giveUp(new Error(reason))
    isDamaged = true
    writeError = undefined
    outbox.halt()
    wake()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Not a browser window.
    worker.postMessage({type: 'leave', id: OPENING} satisfies Request)
    if (hasEnded()) return
    if (isOpen) onDamage(reason)
    else flaw = reason
  }

  function onExit(): void {
    if (hasEnded()) return
    const isClosed = closingId !== undefined && leavingId === closingId
    if (leavingId === undefined && !isDamaged) {
      giveUp(new Error('the index thread ended unexpectedly'))
      return
    }
    try {
      if (!isClosed || isDamaged) removeIndexFiles(path)
      if (!isClosed) worker = start()
    } catch (error) {
      giveUp(error instanceof Error ? error : new Error(String(error)))
    }
    if (!isClosed) return
    take(closingId)?.resolve(undefined)
    giveUp(new Error('the index is closed'))
  }

  function onOpen(): void {
    isDamaged = false
    // The requested reset is complete: the index is empty.
    take(leavingId)?.resolve(undefined)
    leavingId = undefined
    outbox.resume()
    wake()
    isOpen = true
    // Reported later, when the caller has the store.
    setImmediate(reportDamage)
  }

  function reportDamage(): void {
    const reason = flaw
    flaw = undefined
    if (reason !== undefined) onDamage(reason)
  }

  function request(create: (id: number) => Request): Promise<unknown> {
    if (end !== undefined) return Promise.reject(end)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      requests.set(id, {resolve, reject})
      outbox.send(create(id))
    })
  }

  function take(id: number | undefined): Settlers | undefined {
    const settlers = requests.get(id ?? Number.NaN)
    requests.delete(id ?? Number.NaN)
    return settlers
  }

  function giveUp(error: Error): void {
    end ??= error
    outbox.halt()
    for (const {reject} of requests.values()) reject(end)
    requests.clear()
    wake()
  }

  function wake(): void {
    for (const resolve of waiting) resolve()
    waiting = []
  }

  function hasEnded(): boolean {
    return end !== undefined
  }
}

interface Settlers {
  resolve(value: unknown): void
  reject(error: Error): void
}
