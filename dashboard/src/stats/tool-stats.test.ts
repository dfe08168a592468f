import {describe, expect, test} from 'vitest'
import type {ToolKind} from '../../../src/core/events/events.ts'
import {nothingDone, type Entry, type ToolEntry} from '../model/entry.ts'
import {countTools, pickPercentile} from './tool-stats.ts'

let line = 0

function call(tool: ToolKind, at: number, more: Partial<ToolEntry> = {}): ToolEntry {
  line++
  return {
    type: 'tool',
    id: `${line}:0`,
    at,
    line,
    lastLine: line,
    depth: 0,
    toolId: `t${line}`,
    tool,
    name: tool,
    summary: '',
    input: {},
    isCut: false,
    ...nothingDone(),
    ...more,
  }
}

function done(tool: ToolKind, at: number, ms: number, more: Partial<ToolEntry> = {}): ToolEntry {
  return call(tool, at, {endAt: at + ms, durationMs: ms, ok: true, ...more})
}

const live = {until: undefined, at: 10_000}

describe('percentiles', () => {
  test('are observed values, by nearest rank', () => {
    const ordered = Array.from({length: 20}, (_, index) => index + 1)
    expect(pickPercentile(ordered, 50)).toBe(10)
    expect(pickPercentile(ordered, 95)).toBe(19)
    expect(pickPercentile(ordered, 100)).toBe(20)
    expect(pickPercentile([7], 95)).toBe(7)
    expect(pickPercentile([1, 2], 50)).toBe(1)
    expect(pickPercentile([15, 20, 35, 40, 50], 30)).toBe(20)
    expect(pickPercentile([], 50)).toBe(undefined)
  })

  test('do not slip by a rank because of floating-point errors', () => {
    for (let length = 100; length <= 100_000; length *= 10) {
      const ordered = Array.from({length}, (_, index) => index + 1)
      expect(pickPercentile(ordered, 95)).toBe(length * 0.95)
    }
  })
})

describe('the tool statistics', () => {
  test('sum up calls per tool, in descending order of duration', () => {
    const entries: Entry[] = [
      done('Read', 0, 10),
      done('Bash', 0, 500),
      done('Read', 20, 30, {ok: false}),
      {type: 'prompt', id: 'prompt', at: 0, line: 0, lastLine: 0, depth: 0, text: 'Do it'},
      done('Read', 60, 20),
    ]
    expect(countTools(entries, live)).toEqual([
      {
        name: 'Bash',
        tool: 'Bash',
        count: 1,
        failed: 0,
        running: 0,
        totalMs: 500,
        p50Ms: 500,
        p95Ms: 500,
      },
      {
        name: 'Read',
        tool: 'Read',
        count: 3,
        failed: 1,
        running: 0,
        totalMs: 60,
        p50Ms: 20,
        p95Ms: 30,
      },
    ])
  })

  test('count a running call up to now, but not in the percentiles', () => {
    const [stat] = countTools([done('Bash', 0, 100), call('Bash', 9000)], live)
    expect(stat).toMatchObject({count: 2, running: 1, totalMs: 1100, p50Ms: 100, p95Ms: 100})
    const [open] = countTools([call('Bash', 11_000)], live)
    expect(open).toMatchObject({running: 1, totalMs: 0, p50Ms: undefined})
  })

  test('do not count an aborted call as a failure', () => {
    const [stat] = countTools([done('Bash', 0, 100, {ok: false, isUnfinished: true})], live)
    expect(stat).toMatchObject({count: 1, failed: 0, totalMs: 100, p50Ms: undefined})
  })

  test('end at the position of a replay', () => {
    const entries = [
      done('Bash', 0, 1000, {ok: false}),
      done('Bash', 2000, 9000),
      done('Read', 5000, 1),
    ]
    expect(countTools(entries, {until: 3000, at: 3000})).toMatchObject([
      {name: 'Bash', count: 2, failed: 1, running: 1, totalMs: 2000, p95Ms: 1000},
    ])
  })

  test('distinguish MCP tools by server and escape tool names', () => {
    const names = countTools(
      [
        done('Mcp', 0, 2, {name: 'mcp__db__query'}),
        done('Mcp', 0, 1, {name: 'mcp__db__list'}),
        done('Other', 0, 0, {name: 'odd\u001B[31m'}),
        done('Task', 0, 9, {name: 'Agent'}),
      ],
      live,
    ).map(({name}) => name)
    expect(names.slice(0, 3)).toEqual(['Sub-agent', 'db query', 'db list'])
    expect(names[3]).not.toContain('\u001B')
  })
})
