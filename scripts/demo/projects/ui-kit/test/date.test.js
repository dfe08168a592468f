import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {formatAgo, formatDay} from '../src/date/format.js'
import {formatRange} from '../src/date/range.js'

const day = (text) => new Date(`${text}T12:00:00`)

describe('dates', () => {
  test('a day', () => assert.equal(formatDay(day('2026-11-03')), '3 Nov 2026'))
  test('a range', () =>
    assert.equal(formatRange(day('2026-11-03'), day('2026-12-09')), '3 Nov 2026 – 9 Dec 2026'))
  test('yesterday', () =>
    assert.equal(formatAgo(day('2026-11-03'), day('2026-11-04')), 'yesterday'))
  test('some days ago', () =>
    assert.equal(formatAgo(day('2026-11-03'), day('2026-11-06')), '3 days ago'))
})
