import {once} from 'node:events'
import {Worker} from 'node:worker_threads'
import {createOutbox, type Outbox} from './outbox.ts'
import {OPENING, type FromThread, type Question, type ToThread} from './protocol.ts'
import type {Reads} from './reads.ts'

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
  clear(): Promise<void>
  /** Settles when the thread is gone. */
  close(): Promise<void>
  /** Settles when the outbox has room, or never will. */
  room(): Promise<void>
  readonly isOver: boolean
}

/** Starts the thread; rejects when it cannot open the index. */
export async function startThread(
  path: string,
  onDamage: (reason: string) => void,
): Promise<Thread> {
  // It is beside this file and of the same kind: TypeScript where Node can run it, else what it was built to.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./worker.${extension}`, import.meta.url), {workerData: path})
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  const outbox = createOutbox((message) => worker.postMessage(message))
  const requests = new Map<number, Settlers>()
  let waiting: (() => void)[] = []
  let lastId = OPENING
  let writeError: Error | undefined
  let end: Error | undefined
  let closing: Promise<void> | undefined

  const opened = new Promise((resolve, reject) => requests.set(OPENING, {resolve, reject}))
  const exited = once(worker, 'exit')
  worker.on('message', receive)
  worker.on('error', giveUp)
  worker.on('exit', () => giveUp(new Error('the index is closed')))
  await opened

  return {
    outbox,
    async ask(method, ...args) {
      // What comes back over the port has no type.
      const question = {method, args} as Question
      return (await request((id) => ({type: 'read', id, question}))) as never
    },
    async settle() {
      await request((id) => ({type: 'settle', id}))
      const error = writeError
      writeError = undefined
      if (error !== undefined) throw error
    },
    async clear() {
      await request((id) => ({type: 'clear', id}))
    },
    close: () => (closing ??= close()),
    async room() {
      while (!outbox.hasRoom && !isOver()) {
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    get isOver() {
      return isOver() || closing !== undefined
    },
  }

  function isOver(): boolean {
    return end !== undefined
  }

  async function close(): Promise<void> {
    if (end !== undefined) return
    try {
      await request((id) => ({type: 'close', id}))
    } finally {
      await exited
    }
  }

  function request(create: (id: number) => Exclude<ToThread, {type: 'write'}>): Promise<unknown> {
    if (end !== undefined) return Promise.reject(end)
    const id = ++lastId
    return new Promise((resolve, reject) => {
      requests.set(id, {resolve, reject})
      outbox.send(create(id))
    })
  }

  function receive(message: FromThread): void {
    switch (message.type) {
      case 'written':
        writeError ??= message.error
        outbox.onWritten()
        wake()
        break
      case 'answer':
        take(message.id)?.resolve(message.value)
        break
      case 'refusal':
        take(message.id)?.reject(message.error)
        break
      case 'damage':
        writeError = undefined
        outbox.restart(message.epoch)
        onDamage(message.reason)
        break
      default:
        message satisfies never
    }
  }

  function take(id: number): Settlers | undefined {
    const settlers = requests.get(id)
    requests.delete(id)
    return settlers
  }

  function giveUp(error: Error): void {
    end ??= error
    for (const {reject} of requests.values()) reject(end)
    requests.clear()
    wake()
  }

  function wake(): void {
    for (const resolve of waiting) resolve()
    waiting = []
  }
}

interface Settlers {
  resolve(value: unknown): void
  reject(error: Error): void
}
