import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {addressKey, createRateLimit} from './rate-limit.ts'

describe('a rate limit', () => {
  test('allows a burst, then returns the time to wait', () => {
    let time = 0
    const limit = createRateLimit({perSecond: 0.5, burst: 3, now: () => time})
    const taken = Array.from({length: 4}, () => limit.take('a'))
    expect(taken).toEqual([0, 0, 0, 2000])
    expect(limit.take('b')).toBe(0)
    time = 1999
    expect(limit.take('a')).toBe(1)
    time = 2000
    expect(limit.take('a')).toBe(0)
    expect(limit.take('a')).toBe(2000)
  })

  test('never allows more than burst and rate together, and never less than the rate', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 20}),
        fc.integer({min: 1, max: 50}),
        fc.array(fc.integer({min: 0, max: 400}), {maxLength: 200}),
        (burst, perSecond, steps) => {
          let time = 0
          const limit = createRateLimit({perSecond, burst, now: () => time})
          let allowed = 0
          for (const step of steps) {
            time += step
            const wait = limit.take('k')
            if (wait === 0) allowed += 1
            expect(wait).toBeLessThanOrEqual(Math.ceil(1000 / perSecond) + 1)
          }
          expect(allowed).toBeLessThanOrEqual(burst + (time / 1000) * perSecond + 1e-6)
        },
      ),
    )
  })

  test('allows the next request after the returned time', () => {
    let time = 0
    const limit = createRateLimit({perSecond: 3, burst: 1, now: () => time})
    limit.take('a')
    time = limit.take('a')
    expect(limit.take('a')).toBe(0)
  })

  test('evicts the least recently used key when there are too many', () => {
    const limit = createRateLimit({perSecond: 0.001, burst: 1, maxKeys: 2, now: () => 0})
    expect([limit.take('a'), limit.take('b')]).toEqual([0, 0])
    expect(limit.take('a')).toBeGreaterThan(0)
    expect(limit.take('c')).toBe(0)
    expect(limit.take('a')).toBeGreaterThan(0)
    expect(limit.take('b')).toBe(0)
  })

  test('ignores a clock that goes back', () => {
    let time = 1000
    const limit = createRateLimit({perSecond: 1, burst: 1, now: () => time})
    limit.take('a')
    time = 0
    expect(limit.take('a')).toBe(1000)
  })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  [undefined, ''],
])('returns the key of the address %s: %s', (address, key) => expect(addressKey(address)).toBe(key))
