import fc from 'fast-check'
import {expect, test} from 'vitest'
import {iterateBatches} from './iterate-batches.ts'

async function* from(
  batches: number[][],
  closed?: () => void,
): AsyncGenerator<number[], void, undefined> {
  try {
    for (const batch of batches) yield batch
  } finally {
    closed?.()
  }
}

const done = {done: true, value: undefined}
const item = (value: number) => ({done: false, value})

test('emits every item once and in order, for any batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.integer(), {maxLength: 4})), async (batches) => {
      const got: number[] = []
      for await (const value of iterateBatches(from(batches))) got.push(value)
      expect(got).toEqual(batches.flat())
    }),
  )
})

test('answers calls in order, with or without waiting for each', async () => {
  const items = iterateBatches(from([[1, 2], [], [3]]))
  const first = items.next()
  const answers = Promise.all([first, items.next(), items.next(), items.next(), items.next()])
  // Asked when some answers are there and others are not.
  await first
  const late = Promise.all([items.next(), items.next()])
  expect(await answers).toEqual([item(1), item(2), item(3), done, done])
  expect(await late).toEqual([done, done])
})

test('keeps the order when a call comes during another', async () => {
  const items = iterateBatches(from([[1, 2, 3, 4]]))
  const first = items.next()
  const second = items.next()
  expect(await first).toEqual(item(1))
  const third = items.next()
  expect(await Promise.all([second, third, items.next()])).toEqual([item(2), item(3), item(4)])
})

test('return closes the batches and ends the iteration', async () => {
  let closed = 0
  const items = iterateBatches(from([[1, 2], [3]], () => closed++))
  expect(await items.next()).toEqual(item(1))
  expect(await items.return()).toEqual(done)
  expect(closed).toBe(1)
  expect(await items.next()).toEqual(done)
})

test('throw closes the batches with that error', async () => {
  let closed = 0
  const items = iterateBatches(from([[1, 2]], () => closed++))
  await items.next()
  await expect(items.throw(new Error('mine'))).rejects.toThrow('mine')
  expect(closed).toBe(1)
  expect(await items.next()).toEqual(done)
})

test('throws an error of the batches once, after the items before it', async () => {
  const items = iterateBatches(
    (async function* () {
      yield [1]
      throw new Error('theirs')
    })(),
  )
  expect(await items.next()).toEqual(item(1))
  await expect(items.next()).rejects.toThrow('theirs')
  expect(await items.next()).toEqual(done)
})

test('emits no remaining items after an abort', async () => {
  const controller = new AbortController()
  const items = iterateBatches(from([[1, 2, 3]]), controller.signal)
  expect(await items.next()).toEqual(item(1))
  controller.abort()
  expect(await items.next()).toEqual(done)
})
