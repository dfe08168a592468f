import {expect, test} from 'vitest'
import type {TimelineData, TimelineLane} from '../model/timeline-data.ts'
import {createTrackBuilder} from './tracks.ts'

const OPTIONS = {isUnfolded: false, isHeld: false}

test('gives each of up to eight lanes its own track', () => {
  const tracks = createTrackBuilder()(toData(7, 7), OPTIONS)
  expect(tracks.map((track) => track.kind)).toEqual(['main', ...Array<string>(7).fill('agent')])
})

test('folds finished sub-agents of more lanes into one track', () => {
  const build = createTrackBuilder()
  const folded = build(toData(10, 8), OPTIONS)
  expect(folded.map((track) => track.label)).toEqual(['Main', '8 sub-agents, done', 'a8', 'a9'])
  expect(folded[1]?.tools.spans.map((span) => span.start)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(folded[1]?.tools.rows[0]?.failures.at(-1)).toBe(1)
  expect(build(toData(10, 8), {isUnfolded: true, isHeld: false})).toHaveLength(12)
})

test('a lane stays while the pointer is over it', () => {
  const build = createTrackBuilder()
  build(toData(10, 3), OPTIONS)
  const held = build(toData(10, 4), {isUnfolded: false, isHeld: true})
  expect(held.map((track) => track.id)).toContain('a3')
  const after = build(toData(10, 4), OPTIONS)
  expect(after.map((track) => track.id)).not.toContain('a3')
})

function toData(agents: number, done: number): TimelineData {
  const lanes: TimelineLane[] = [{...toLane('Main', 0), kind: 'main'}]
  for (let index = 0; index < agents; index++) {
    lanes.push({...toLane(`a${index}`, index), isDone: index < done})
  }
  return {startedAt: 0, lanes, turns: []}
}

function toLane(id: string, start: number): TimelineLane {
  return {
    id,
    kind: 'agent',
    label: id,
    detail: '',
    isDone: false,
    tools: [
      {
        id: String(start),
        start,
        end: start + 5,
        tool: 'Read',
        label: 'Read',
        hasFailed: start === 2,
      },
    ],
    model: [],
    waits: [],
    marks: [],
  }
}
