import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {createQueue, type Queue} from './queue.ts'

const MAX_PENDING = 4096

async function collect(queue: Queue<number>): Promise<number[]> {
  const items: number[] = []
  for await (const item of queue) items.push(item)
  return items
}

function fill(queue: Queue<number>, count: number, start = 0): void {
  for (let item = start; item < start + count; item++) queue.push(item)
}

/** Whether a promise has settled once all pending tasks have run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await turn()
  return settled
}

describe('one reader', () => {
  test('receives pending and later items in order', async () => {
    const queue = createQueue<number>()
    fill(queue, 3)
    const read = collect(queue)
    await turn()
    fill(queue, 3, 3)
    await turn()
    fill(queue, 3, 6)
    queue.end()
    expect(await read).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('receives items and the end that arrive while it is busy', async () => {
    const queue = createQueue<number>()
    const items: number[] = []
    const read = (async () => {
      for await (const item of queue) {
        items.push(item)
        if (item < 5) queue.push(item + 1)
        else queue.end()
        await turn()
      }
    })()
    queue.push(0)
    await read
    expect(items).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('receives nothing from an ended empty queue', async () => {
    const queue = createQueue<number>()
    queue.end()
    expect(await collect(queue)).toEqual([])
  })
})

describe('a queue without a reader', () => {
  test('keeps the newest items, and its producer does not wait', async () => {
    const queue = createQueue<number>()
    fill(queue, 20_000)
    expect(await isSettled(queue.drain())).toBe(true)
    queue.end()
    const items = await collect(queue)
    expect([items.length, items[0], items.at(-1)]).toEqual([
      MAX_PENDING,
      20_000 - MAX_PENDING,
      19_999,
    ])
  })
})

describe('a slow reader', () => {
  test('causes backpressure and receives all items', async () => {
    const queue = createQueue<number>()
    const items = queue[Symbol.asyncIterator]()
    queue.push(-1)
    await items.next()
    fill(queue, MAX_PENDING)
    expect(await isSettled(queue.drain())).toBe(true)
    queue.push(MAX_PENDING)
    const drained = queue.drain()
    expect(await isSettled(drained)).toBe(false)
    for (let item = 0; item <= MAX_PENDING; item++) {
      expect(await items.next()).toEqual({done: false, value: item})
    }
    void items.next()
    expect(await isSettled(drained)).toBe(true)
  })

  test('causes no backpressure after it stops', async () => {
    const queue = createQueue<number>()
    const items = queue[Symbol.asyncIterator]()
    queue.push(-1)
    await items.next()
    fill(queue, MAX_PENDING * 2)
    const drained = queue.drain()
    expect(await isSettled(drained)).toBe(false)
    await items.return?.()
    expect(await isSettled(drained)).toBe(true)
    fill(queue, MAX_PENDING * 2)
    expect(await isSettled(queue.drain())).toBe(true)
    queue.end()
    expect(await collect(queue)).toEqual([])
  })
})

test('shares the items among several readers, and ends for all of them', async () => {
  const queue = createQueue<number>()
  const reads = [collect(queue), collect(queue), collect(queue)]
  await turn()
  for (let item = 0; item < 100; item++) {
    queue.push(item)
    if (item % 7 === 0) await turn()
  }
  queue.end()
  const items = (await Promise.all(reads)).flat()
  expect(items.toSorted((one, other) => one - other)).toEqual(
    Array.from({length: 100}, (_, i) => i),
  )
})

test('continues when one of two readers stops', async () => {
  const queue = createQueue<number>()
  const [one, other] = [queue[Symbol.asyncIterator](), collect(queue)]
  const first = one.next()
  await turn()
  fill(queue, 3)
  const taken = await first
  await one.return?.()
  await turn()
  fill(queue, 3, 3)
  queue.end()
  const rest = await other
  expect([taken.value as number, ...rest].toSorted()).toEqual([0, 1, 2, 3, 4, 5])
})
