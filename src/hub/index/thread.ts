import type {Worker} from 'node:worker_threads'
import {createThread} from '../threads.ts'
import {removeIndexFiles} from './files.ts'
import {createOutbox, type Outbox} from './outbox.ts'
import {OPENING, type FromThread, type Question, type Request} from './protocol.ts'
import type {Reads} from './reads.ts'

/** It works on small pieces: what is no longer needed goes early, for the process to stay small. */
const MOST_YOUNG_MB = 4

/** The thread that has the index open, as the rest of the process sees it. */
export interface Thread {
  outbox: Outbox
  /** Asks the index something, after all that was given before. */
  ask<M extends keyof Reads>(
    method: M,
    ...args: Parameters<Reads[M]>
  ): Promise<ReturnType<Reads[M]>>
  /** Settles when all that was given is written; rejects when some of it was not. */
  settle(): Promise<void>
  /** Settles when every message that was given can be found. */
  sought(): Promise<void>
  /** Settles when there is an empty index. */
  clear(): Promise<void>
  /** Settles when the thread is gone. */
  close(): Promise<void>
  /** Settles when the outbox has room, or never will. */
  room(): Promise<void>
  readonly isOver: boolean
}

/**
 * Starts the thread; rejects when it cannot open the index. To begin anew the thread is ended, which alone closes a database for
 * sure, the files are removed, and another thread is started.
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
  /** What was wrong with the index before anybody had it. */
  let flaw: string | undefined
  /** The request to leave that was sent last, and the one after which there is no other thread. */
  let leavingId: number | undefined
  let closingId: number | undefined
  let closing: Promise<unknown> | undefined
  let end: Error | undefined

  const opened = new Promise((resolve, reject) => requests.set(OPENING, {resolve, reject}))
  let worker = start()
  const outbox = createOutbox((message) => {
    if (message.type === 'leave') leavingId = message.id
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    worker.postMessage(message)
  })
  await opened

  return {
    outbox,
    async ask(method, ...args) {
      const question = {method, args} as Question
      // What comes over the port has no type.
      return (await request((id) => ({type: 'read', id, question}))) as never
    },
    async settle() {
      await request((id) => ({type: 'settle', id}))
      const error = writeError
      writeError = undefined
      if (error !== undefined) throw error
    },
    async sought() {
      await request((id) => ({type: 'seek', id}))
    },
    async clear() {
      await request((id) => ({type: 'leave', id}))
      // What was given before is void, written or not.
      writeError = undefined
    },
    async close() {
      if (end === undefined) {
        closing ??= request((id) => ({type: 'leave', id: (closingId = id)}))
      }
      await closing
    },
    async room() {
      while (!outbox.hasRoom && !hasEnded()) {
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
      mostYoungMb: MOST_YOUNG_MB,
    })
    started.on('message', receive)
    started.on('error', giveUp)
    started.on('exit', onExit)
    return started
  }

  function receive(message: FromThread): void {
    if (isOpen) tellFlaw()
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
    // A new index that is damaged at once will not get better.
    if (isDamaged) giveUp(new Error(reason))
    isDamaged = true
    writeError = undefined
    outbox.halt()
    wake()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
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
    // Whoever asked to begin anew has an empty index now.
    take(leavingId)?.resolve(undefined)
    leavingId = undefined
    outbox.resume()
    wake()
    isOpen = true
    // Whoever opened it has the store by then.
    setImmediate(tellFlaw)
  }

  function tellFlaw(): void {
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
