import {describe, expect, test} from 'vitest'
import type {ToolSpan, WaitSpan} from '../model/timeline-data.ts'
import {splitTime} from './time-spent.ts'

function tool(start: number, end?: number, kind: ToolSpan['tool'] = 'Bash'): ToolSpan {
  return {id: '', start, end, tool: kind, label: '', hasFailed: false}
}

function wait(start: number, end?: number): WaitSpan {
  return {id: '', start, end, kind: 'request', label: ''}
}

describe('the time of a run', () => {
  test('is split into parts that add up to the total', () => {
    const lane = {
      tools: [tool(20, 40), tool(60, 80, 'Task')],
      model: [{start: 0, end: 20, isThinking: true}],
      waits: [wait(80, 90)],
    }
    expect(splitTime(lane, 0, 100)).toEqual({
      waiting: 10,
      tools: 20,
      subAgents: 20,
      model: 20,
      rest: 30,
    })
  })

  test('counts overlapping activities once, and a tool that waits for an answer as waiting', () => {
    const lane = {
      tools: [tool(0, 50, 'Task'), tool(10, 60), tool(20, 40)],
      model: [{start: 0, end: 100, isThinking: false}],
      waits: [wait(15, 25)],
    }
    expect(splitTime(lane, 0, 100)).toEqual({
      waiting: 10,
      tools: 40,
      subAgents: 10,
      model: 40,
      rest: 0,
    })
  })

  test('is clipped to the range, and open spans extend to its end', () => {
    const lane = {tools: [tool(-50, 10), tool(90, 400)], model: [], waits: [wait(50)]}
    expect(splitTime(lane, 0, 100)).toEqual({
      waiting: 50,
      tools: 10,
      subAgents: 0,
      model: 0,
      rest: 40,
    })
  })

  test('is unknown without a lane', () => {
    expect(splitTime(undefined, 0, 100).rest).toBe(100)
    expect(splitTime(undefined, 100, 0).rest).toBe(0)
  })
})
