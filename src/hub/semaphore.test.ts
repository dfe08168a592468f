import {setImmediate} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createSemaphore} from './semaphore.ts'

test('runs no more tasks at a time than allowed, in order, also after one fails', async () => {
  const inTurn = createSemaphore(2)
  const started: number[] = []
  let running = 0
  let maxRunning = 0
  const tasks = Array.from({length: 7}, (_, at) =>
    inTurn(async () => {
      started.push(at)
      maxRunning = Math.max(maxRunning, ++running)
      await setImmediate()
      running--
      if (at === 3) throw new Error('failed')
      return at
    }),
  )
  const outcomes = await Promise.allSettled(tasks)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(maxRunning).toBe(2)
  expect(outcomes.map(({status}) => status === 'fulfilled')).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((at) => at !== 3),
  )
})
