import {expect, test} from 'vitest'
import {isAboveAnchor} from './scroll-anchor.ts'

const view = {start: 1000, end: 1600}
const above = {start: 900, end: 950}
const across = {start: 950, end: 1100}
const inside = {start: 1100, end: 1200}

test('scrolls when a row above the view grows, and not when a row in view does', () => {
  const context = {view, isFirstMeasure: false}
  expect(isAboveAnchor(above, context)).toBe(true)
  expect(isAboveAnchor({start: 900, end: 1000}, context)).toBe(true)
  expect(isAboveAnchor(inside, context)).toBe(false)
})

test('scrolls for a row across the top of the view only when it is measured for the first time', () => {
  expect(isAboveAnchor(across, {view, isFirstMeasure: true})).toBe(true)
  expect(isAboveAnchor(across, {view, isFirstMeasure: false})).toBe(false)
})

test('keeps the selected row in place when a row in view above it grows', () => {
  const context = {view, selected: {start: 1300, end: 1326}, isFirstMeasure: false}
  expect(isAboveAnchor(across, context)).toBe(true)
  expect(isAboveAnchor(inside, context)).toBe(true)
  expect(isAboveAnchor({start: 1300, end: 1326}, context)).toBe(false)
  expect(isAboveAnchor({start: 1326, end: 1400}, context)).toBe(false)
})

test('ignores a selected row that is out of view', () => {
  const context = {view, selected: {start: 1700, end: 1726}, isFirstMeasure: false}
  expect(isAboveAnchor(inside, context)).toBe(false)
  expect(isAboveAnchor(above, context)).toBe(true)
})

test('keeps the top of the view in place while a selected row is across it', () => {
  const context = {view, selected: across, isFirstMeasure: true}
  expect(isAboveAnchor(across, context)).toBe(true)
  expect(isAboveAnchor(inside, context)).toBe(false)
})
