import {expect, test} from 'vitest'
import {parsePath, pathOfRun} from './router.ts'

test.each([
  ['/', {page: 'runs'}],
  ['/runs', {page: 'runs'}],
  ['/runs/', {page: 'runs'}],
  ['/search', {page: 'runs'}],
  ['/runs/7f3a', {page: 'run', runId: '7f3a'}],
  ['/runs/a%2Fb/', {page: 'run', runId: 'a/b'}],
  ['/runs/%ff', {page: 'nowhere'}],
  ['/runs/a/b', {page: 'nowhere'}],
  ['/usage', {page: 'usage'}],
  ['/usage/', {page: 'usage'}],
  ['/usage/today', {page: 'nowhere'}],
  ['/spend', {page: 'nowhere'}],
])('parses the path %s', (path, place) => {
  expect(parsePath(path)).toEqual(place)
})

test('formats a path that leads back to the run', () => {
  expect(pathOfRun('7f3a')).toBe('/runs/7f3a')
  expect(pathOfRun('a/b', {seq: '12'})).toBe('/runs/a%2Fb?seq=12')
})
