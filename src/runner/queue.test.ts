import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {createQueue, type Queue} from './queue.ts'

const MOST_WAITING = 4096

async function collect(queue: Queue<number>): Promise<number[]> {
  const items: number[] = []
  for await (const item of queue) items.push(item)
  return items
}

function fill(queue: Queue<number>, count: number, start = 0): void {
  for (let item = start; item < start + count; item++) queue.push(item)
}

/** Whether a promise has settled after everything that can happen has happened. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await turn()
  return settled
}

describe('one reader', () => {
  test('gets what was there and what comes, in order', async () => {
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

  test('misses nothing that comes while it is busy, nor the end', async () => {
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

  test('of an empty queue that is over gets nothing', async () => {
    const queue = createQueue<number>()
    queue.end()
    expect(await collect(queue)).toEqual([])
  })
})

describe('nobody reads', () => {
  test('the newest are kept, and nobody waits', async () => {
    const queue = createQueue<number>()
    fill(queue, 20_000)
    expect(await isSettled(queue.room())).toBe(true)
    queue.end()
    const items = await collect(queue)
    expect([items.length, items[0], items.at(-1)]).toEqual([
      MOST_WAITING,
      20_000 - MOST_WAITING,
      19_999,
    ])
  })
})

describe('a reader that is slow', () => {
  test('is waited for, and loses nothing', async () => {
    const queue = createQueue<number>()
    const items = queue[Symbol.asyncIterator]()
    queue.push(-1)
    await items.next()
    fill(queue, MOST_WAITING)
    expect(await isSettled(queue.room())).toBe(true)
    queue.push(MOST_WAITING)
    const room = queue.room()
    expect(await isSettled(room)).toBe(false)
    for (let item = 0; item <= MOST_WAITING; item++) {
      expect(await items.next()).toEqual({done: false, value: item})
    }
    void items.next()
    expect(await isSettled(room)).toBe(true)
  })

  test('is not waited for when it leaves', async () => {
    const queue = createQueue<number>()
    const items = queue[Symbol.asyncIterator]()
    queue.push(-1)
    await items.next()
    fill(queue, MOST_WAITING * 2)
    const room = queue.room()
    expect(await isSettled(room)).toBe(false)
    await items.return?.()
    expect(await isSettled(room)).toBe(true)
    fill(queue, MOST_WAITING * 2)
    expect(await isSettled(queue.room())).toBe(true)
    queue.end()
    expect(await collect(queue)).toEqual([])
  })
})

test('several readers share the items, and all of them end', async () => {
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

test('one of two readers may leave', async () => {
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
