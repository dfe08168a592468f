import {expect, test} from 'vitest'
import {formatTick, panView, pickTicks, revealInView, toFitView, toView, zoomView} from './scale.ts'

const MINUTE = 60_000
const FIT = {start: 0, end: 20 * MINUTE}

test('the full range of a live run grows in steps', () => {
  const span = (minutes: number) => toFitView(0, minutes * MINUTE, true).end / MINUTE
  expect([0, 0.4, 0.5, 0.9, 1.5, 4, 5, 9, 18.7, 20, 39, 41].map(span)).toEqual([
    0.5, 0.5, 1, 1, 2, 5, 10, 10, 20, 40, 40, 80,
  ])
})

test('the full range of an ended run has a small margin', () => {
  expect(toFitView(100, 100 + 10 * MINUTE, false)).toEqual({start: 100, end: 100 + 10.2 * MINUTE})
  expect(toFitView(100, 100, false).end).toBeGreaterThan(100)
})

test('the range of the last five minutes moves in steps while a run is live', () => {
  const view = (edge: number) => toView({type: 'last'}, FIT, edge, true)
  expect(view(600_000)).toEqual({start: 310_000, end: 610_000})
  expect(view(605_000)).toEqual({start: 310_000, end: 610_000})
  expect(view(605_001)).toEqual({start: 320_000, end: 620_000})
  expect(toView({type: 'last'}, {start: 0, end: MINUTE}, 30_000, true)).toEqual({
    start: 0,
    end: MINUTE,
  })
  expect(toView({type: 'last'}, FIT, 19 * MINUTE, false)).toEqual({
    start: 15 * MINUTE,
    end: 20 * MINUTE,
  })
})

test('zooming keeps the time under the pointer and stops at the full range', () => {
  const zoom = zoomView(FIT, 0.5, 15 * MINUTE, FIT)
  expect(zoom).toEqual({type: 'hand', view: {start: 7.5 * MINUTE, end: 17.5 * MINUTE}})
  expect(zoomView(FIT, 0.5, 0, FIT)).toEqual({type: 'hand', view: {start: 0, end: 10 * MINUTE}})
  expect(zoomView({start: 0, end: 15 * MINUTE}, 2, 0, FIT)).toEqual({type: 'fit'})
  expect(zoomView({start: 0, end: 300}, 0.01, 100, FIT)).toMatchObject({
    view: {end: expect.closeTo(233.3, 1)},
  })
})

test('panning stays within the run', () => {
  const view = {start: 5 * MINUTE, end: 10 * MINUTE}
  expect(panView(view, -10 * MINUTE, FIT)).toMatchObject({view: {start: 0, end: 5 * MINUTE}})
  expect(panView(view, 99 * MINUTE, FIT)).toMatchObject({
    view: {start: 15 * MINUTE, end: 20 * MINUTE},
  })
})

test('revealing a span pans only when it is out of view', () => {
  const view = {start: 5 * MINUTE, end: 10 * MINUTE}
  expect(revealInView(view, 6 * MINUTE, 12 * MINUTE, FIT)).toBe(view)
  for (const start of [1, 4.9, 10.1, 19]) {
    const next = revealInView(view, start * MINUTE, (start + 0.2) * MINUTE, FIT)
    expect(next.start).toBeLessThanOrEqual(start * MINUTE)
    expect(next.end).toBeGreaterThanOrEqual((start + 0.2) * MINUTE)
    expect(next.end - next.start).toBe(5 * MINUTE)
  }
})

test('ticks have round steps from the start of the run', () => {
  expect(pickTicks(FIT, 0, 1048, 87).step).toBe(2 * MINUTE)
  const {step, times} = pickTicks({start: 1500, end: 4400}, 100, 1000, 300)
  expect([step, times]).toEqual([1000, [2100, 3100, 4100]])
  expect(pickTicks({start: 0, end: 1e11}, 0, 1000, 80).times.length).toBeLessThan(13)
})

test('the label of a tick has minutes and seconds, with tenths when ticks are close', () => {
  expect(formatTick(120_000, MINUTE)).toBe('2:00')
  expect(formatTick(61_500, 500)).toBe('1:01.5')
  expect(formatTick(60_000, 500)).toBe('1:00.0')
  expect(formatTick(3_600_000, MINUTE)).toBe('1:00:00')
})
