import {expect, test} from 'vitest'
import {nameRange, parseRange, toPrecedingSpan, toWideSpan} from './range.ts'

const today = '2026-11-16'

test.each([
  [{range: '', since: '', until: ''}, '2026-10-18', today, 30],
  [{range: '7', since: '', until: ''}, '2026-11-10', today, 7],
  [{range: '31', since: '', until: ''}, '2026-10-18', today, 30],
  [{range: '7', since: '2026-08-01', until: '2026-08-07'}, '2026-08-01', '2026-08-07', 'custom'],
  [{range: '7', since: '2026-08-07', until: '2026-08-01'}, '2026-11-10', today, 7],
  [{range: '7', since: '0026-08-01', until: '2026-08-07'}, '2026-11-10', today, 7],
  [{range: '7', since: '2026-08-01', until: '2026-11-17'}, '2026-11-10', today, 7],
])('parses the range %j', (fields, from, to, preset) => {
  expect(parseRange(fields, today)).toEqual({from, to, preset})
})

test('compares with the range of the same length before', () => {
  const span = {from: '2026-10-18', to: '2026-11-16'}
  expect(toPrecedingSpan(span)).toEqual({from: '2026-09-18', to: '2026-10-17'})
})

test('covers the days before the range and those that decide about colours', () => {
  expect(toWideSpan({from: '2026-11-10', to: today}, today).from).toBe('2026-08-19')
  expect(toWideSpan({from: '2026-08-19', to: today}, today).from).toBe('2026-05-21')
  expect(toWideSpan({from: '2026-08-01', to: '2026-08-07'}, today)).toEqual({
    from: '2026-07-25',
    to: today,
  })
})

test('names a range by its length when it ends today', () => {
  expect(nameRange({from: '2026-10-18', to: today}, today)).toBe('30 days')
  expect(nameRange({from: '2026-10-19', to: today}, today)).toBe('19 Oct to today')
  expect(nameRange({from: '2026-08-01', to: '2026-08-07'}, today)).toBe('1 Aug to 7 Aug')
})
