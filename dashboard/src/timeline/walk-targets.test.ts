import {expect, test} from 'vitest'
import {describeTarget, summarizeTimeline} from './describe.ts'
import {findById, findTarget, toId, type Target} from './find-target.ts'
import {placeTracks} from './place-tracks.ts'
import type {TimelineData, TimelineLane, ToolSpan} from '../model/timeline-data.ts'
import {createTrackBuilder} from './tracks.ts'
import {findWalked, walkTargets, type Step} from './walk-targets.ts'

const MAIN: TimelineLane = {
  id: 'main',
  kind: 'main',
  label: 'Main',
  detail: '',
  isDone: false,
  tools: [toTool('1', 1000, 2000), toTool('2', 1500, 4000), toTool('3', 5000, undefined)],
  model: [{start: 0, end: 900, isThinking: true}],
  waits: [{id: '4', start: 3000, end: 4500, kind: 'request', label: 'permission'}],
  marks: [{id: '5', at: 1000, kind: 'plan', label: 'Plan made'}],
}
const AGENT: TimelineLane = {
  ...MAIN,
  id: 'agent',
  kind: 'agent',
  label: 'Explore',
  tools: [{...toTool('6', 1600, 1700), hasFailed: true}],
  model: [],
  waits: [],
  marks: [],
}
const DATA: TimelineData = {startedAt: 0, lanes: [MAIN, AGENT], turns: [4800]}
const TRACKS = createTrackBuilder()(DATA, {isUnfolded: false, isHeld: false})
const {placed: PLACED} = placeTracks(TRACKS, false)

test('arrow keys go from bar to bar by time, and to the nearest bar of another lane', () => {
  expect(walk(undefined, 'next', 'next', 'next', 'next', 'next', 'next')).toEqual([...'15243'])
  expect(walk('3', 'previous', 'previous', 'previous', 'previous')).toEqual([...'4251'])
  expect(walk('3', 'down', 'up', 'first', 'last')).toEqual([...'6213'])
})

test('a step starts from the selected bar, also when others have the same entry', () => {
  const same = {...DATA, lanes: [{...MAIN, tools: MAIN.tools.map((tool) => ({...tool, id: '9'}))}]}
  const tracks = createTrackBuilder()(same, {isUnfolded: false, isHeld: false})
  const {placed} = placeTracks(tracks, false)
  const second = walkTargets(placed, findById(placed, '4'), 'previous')
  expect(second?.index).toBe(1)
  expect(findWalked(placed, second, '9')?.index).toBe(1)
  expect(findWalked(placed, undefined, '9')?.index).toBe(0)
})

test('finds the target that is drawn at a point', () => {
  const find = (at: number, y: number) =>
    findTarget(PLACED, {origin: 0, msPerPixel: 10}, {at, y, edge: 6000, slop: 2})
  const idAt = (at: number, y: number) => {
    const target = find(at, y)
    return target && toId(target)
  }
  expect([idAt(1100, 30), idAt(1600, 50), idAt(5900, 30), idAt(3500, 12)]).toEqual([...'1234'])
  expect([idAt(1000, 12), idAt(1650, 75), idAt(4700, 30)]).toEqual(['5', '6', undefined])
  expect(find(400, 13)?.type).toBe('model')
})

test('describes a target in words', () => {
  const describe = (id: string) => {
    const target = findById(PLACED, id)
    return target && describeTarget(target, 0, 6000)
  }
  expect(describe('2')).toEqual({title: 'tool 2', detail: '2.5 s · 0:01 · 00:00:01'})
  expect(describe('3')?.title).toBe('tool 3, running')
  expect(describe('5')).toEqual({title: 'Plan made', detail: '0:01 · 00:00:01'})
  expect(describe('6')?.title).toBe('tool 6, failed')
  expect(summarizeTimeline(DATA, TRACKS, 1_080_000)).toBe(
    'Timeline: 4 tool calls in 18 m, 1 failed, 1 wait, 1 sub-agent, 2 results. Arrow keys go from bar to bar.',
  )
})

function walk(from: string | undefined, ...steps: readonly Step[]): (string | undefined)[] {
  const ids: (string | undefined)[] = []
  let target: Target | undefined = from === undefined ? undefined : findById(PLACED, from)
  for (const step of steps) {
    const next = walkTargets(PLACED, target, step)
    if (next === undefined) continue
    target = next
    ids.push(toId(next))
  }
  return ids
}

function toTool(id: string, start: number, end: number | undefined): ToolSpan {
  return {id, start, end, tool: 'Read', label: `tool ${id}`, hasFailed: false}
}
