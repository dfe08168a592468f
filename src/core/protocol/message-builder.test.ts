import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {suggestRule} from '../../permissions/suggest-rule.ts'
import {createMessageTeller} from './message-builder.ts'
import {toTimestamp} from './timestamp.ts'
import type {RunEnding} from '../run/run-summary.ts'

const ids = {workOrderId: 'w', runId: 'r'}
const base = {line: 1, at: 1000, agent: 'claude'}
const timestamp = '1970-01-01T00:00:01.000Z'
const origin = {agent: 'claude', title: 'Fix it', cwd: '/home/dev', startedAt: 1000}

const start: AgentEvent = {
  ...base,
  type: 'tool-start',
  toolId: 't',
  name: 'Bash',
  tool: 'Bash',
  input: {command: 'ls'},
  summary: 'ls',
}
const end: AgentEvent = {
  ...base,
  type: 'tool-end',
  toolId: 't',
  ok: true,
  output: 'a.txt',
  outputLength: 5,
}

describe('messages', () => {
  test('are numbered from 1 without a hole, from the beginning of a run to its end', () => {
    const teller = createMessageTeller({ids})
    const told = [
      ...teller.begin(origin),
      ...teller.see({...base, type: 'text', text: 'Hello.'}),
      ...teller.see(start),
      ...teller.see({...end, at: 3000}),
      ...teller.change({path: 'a.txt', action: 'created', sizeBytes: 3}, 1000),
      ...teller.see({
        ...base,
        type: 'usage',
        tokens: {input: 1, output: 1, cacheRead: 0, cacheWrite: 0},
      }),
      ...teller.end({verdict: 'succeeded', reason: 'done'} as RunEnding, 1000),
    ]
    expect(told.map(({type, seq}) => [seq, type])).toEqual([
      [1, 'run_started'],
      [2, 'agent_output'],
      [3, 'agent_tool_call'],
      [4, 'agent_tool_result'],
      [5, 'file_changed'],
      [6, 'run_ended'],
    ])
    expect(told[0]).toEqual({type: 'run_started', ...ids, seq: 1, timestamp, ...origin})
    expect(told[3]).toMatchObject({durationMs: 2000, contentPreview: 'a.txt', contentLength: 5})
    expect(teller.seq).toBe(6)
  })

  test('of thinking have the number of the message before them and come directly before the next', () => {
    const think = (text: string): AgentEvent => ({...base, type: 'thinking', text})
    const piece = (text: string, parentToolId?: string): AgentEvent => ({
      ...base,
      type: 'thinking-delta',
      text,
      parentToolId,
    })
    const events: AgentEvent[] = [
      {...base, type: 'text-delta', text: 'First.'},
      think('Why?'),
      think('  '),
      piece('Below', 't'),
      piece('Because '),
      piece('of this.'),
      start,
      {...base, type: 'turn-end', ok: true, text: ''},
      think('Too late.'),
    ]
    const tellAll = (includeThinking: boolean) => {
      const teller = createMessageTeller({ids, includeThinking})
      return [
        ...teller.begin(origin),
        ...events.flatMap((event) => teller.see(event)),
        ...teller.flush(1000),
        ...teller.end({verdict: 'succeeded', reason: 'done'} as RunEnding, 1000),
      ]
    }
    const told = tellAll(true).map((one) => [one.seq, one.type, 'content' in one && one.content])
    expect(told).toEqual([
      [1, 'run_started', false],
      [2, 'agent_output', 'First.'],
      [2, 'agent_thinking', 'Why?'],
      [2, 'agent_thinking', 'Because of this.'],
      [3, 'agent_tool_call', false],
      [3, 'agent_thinking', 'Below'],
      [3, 'agent_thinking', 'Too late.'],
      [4, 'run_ended', false],
    ])
    // Without thinking the others are the same, numbers included.
    const others = tellAll(true).filter(({type}) => type !== 'agent_thinking')
    expect(tellAll(false)).toEqual(others)
  })

  test('of thinking that nothing follows can be taken at the end of a stream', () => {
    const teller = createMessageTeller({ids, includeThinking: true})
    teller.see({...base, type: 'thinking-delta', text: 'Hm.'})
    expect(teller.flush(1000)).toEqual([])
    const content = 'Hm.'
    const data = {type: 'agent_thinking', ...ids, seq: 0, timestamp, content}
    expect([teller.flushThinking(), teller.flushThinking()]).toEqual([[data], []])
  })

  test('tell what is said in pieces once it is whole', () => {
    const teller = createMessageTeller({ids})
    const say = (text: string, messageId: string, parentToolId?: string) =>
      teller.see({...base, type: 'text-delta', text, messageId, parentToolId})
    expect(say('Hel', '1')).toEqual([])
    expect(say('of a sub-agent', '2', 't')).toEqual([])
    expect(say('lo', '1')).toEqual([])
    expect(teller.see(start)).toMatchObject([{content: 'Hello'}, {type: 'agent_tool_call'}])
    expect(teller.flush(1000)).toMatchObject([{content: 'of a sub-agent'}])
    expect(teller.flush(1000)).toEqual([])
  })

  test('have no part of a secret where a result is cut', () => {
    const mask = (text: string) => text.replaceAll(/secret-[a-z]+/g, '***')
    const teller = createMessageTeller({ids, mask})
    teller.see(start)
    const output = `${'x'.repeat(490)}secret-${'a'.repeat(50)}`
    expect(teller.see({...end, output})).toMatchObject([
      {contentPreview: `${'x'.repeat(490)}***`, contentLength: output.length},
    ])
  })

  test('leave files to whoever watches them', () => {
    const change: AgentEvent = {...base, type: 'file-change', path: '/p/a', action: 'created'}
    expect(createMessageTeller({ids, tellsFiles: false}).see(change)).toEqual([])
    expect(createMessageTeller({ids}).see(change)).toMatchObject([{type: 'file_changed'}])
  })

  test('tell what is asked, with a rule that would allow it', () => {
    const teller = createMessageTeller({ids, suggestRule})
    teller.see(start)
    const request: AgentEvent = {
      ...base,
      type: 'permission-request',
      requestId: 'q',
      toolId: 't',
      name: 'Bash',
      input: {command: 'npm test'},
    }
    const [told] = teller.see(request)
    expect(told).toMatchObject({
      type: 'permission_request',
      requestId: 'q',
      toolUseId: 't',
      tool: 'Bash',
      input: {command: 'npm test'},
      suggestedRule: 'Bash(npm test)',
    })
    expect(teller.state.openRequests).toHaveLength(1)
    teller.settle('q', 2000)
    expect(teller.state.openRequests).toEqual([])
  })
})

test('times are told as the calendar has them', () => {
  fc.assert(
    fc.property(fc.array(fc.date({noInvalidDate: true})), (dates) => {
      // Each is told after another, and many are of the same second.
      for (const date of dates.flatMap((one) => [one, one, new Date(one.getTime() + 7)])) {
        if (Number.isNaN(date.getTime())) continue
        expect(toTimestamp(date.getTime() + 0.4 * Math.sign(date.getTime()))).toBe(
          date.toISOString(),
        )
      }
    }),
  )
})

test('a time that no calendar has is the first one', () => {
  expect(toTimestamp(Number.NaN)).toBe('1970-01-01T00:00:00.000Z')
  expect(toTimestamp(Number.MAX_VALUE)).toBe('1970-01-01T00:00:00.000Z')
  expect(toTimestamp(1000)).toBe(timestamp)
})
