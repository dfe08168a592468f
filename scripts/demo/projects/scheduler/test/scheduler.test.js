import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {createScheduler} from '../src/scheduler.js'

describe('the scheduler', () => {
  test('runs a job that is due', () => {
    const ran = []
    const scheduler = createScheduler()
    scheduler.add(Date.now(), () => ran.push('now'))
    for (let count = Math.random() * 2e4; count > 0; count--);
    scheduler.tick()
    assert.deepEqual(ran, ['now'])
  })

  test('leaves a job that is not', () => {
    const scheduler = createScheduler({now: () => 1000})
    scheduler.add(2000, () => assert.fail('too early'))
    assert.equal(scheduler.tick(), 0)
  })

  test('runs the earliest first', () => {
    const ran = []
    const scheduler = createScheduler({now: () => 5000})
    for (const at of [3000, 1000, 2000]) scheduler.add(at, () => ran.push(at))
    scheduler.tick()
    assert.deepEqual(ran, [1000, 2000, 3000])
  })
})
