import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {suggestRule} from '../../permissions/suggest-rule.ts'
import {createMessageBuilder} from './message-builder.ts'
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

describe('createMessageBuilder', () => {
  test('numbers messages from 1 without gaps, from the start of a run to its end', () => {
    const builder = createMessageBuilder({ids})
    const messages = [
      ...builder.start(origin),
      ...builder.addEvent({...base, type: 'text', text: 'Hello.'}),
      ...builder.addEvent(start),
      ...builder.addEvent({...end, at: 3000}),
      ...builder.addFileChange({path: 'a.txt', action: 'created', sizeBytes: 3}, 1000),
      ...builder.addEvent({
        ...base,
        type: 'usage',
        tokens: {input: 1, output: 1, cacheRead: 0, cacheWrite: 0},
      }),
      ...builder.end({verdict: 'succeeded', reason: 'done'} as RunEnding, 1000),
    ]
    expect(messages.map(({type, seq}) => [seq, type])).toEqual([
      [1, 'run_started'],
      [2, 'agent_output'],
      [3, 'agent_tool_call'],
      [4, 'agent_tool_result'],
      [5, 'file_changed'],
      [6, 'run_ended'],
    ])
    expect(messages[0]).toEqual({type: 'run_started', ...ids, seq: 1, timestamp, ...origin})
    expect(messages[3]).toMatchObject({durationMs: 2000, contentPreview: 'a.txt', contentLength: 5})
    expect(builder.seq).toBe(6)
  })

  test('numbers thinking like the message before it and sends it directly before the next', () => {
    const think = (text: string): AgentEvent => ({...base, type: 'thinking', text})
    const delta = (text: string, parentToolId?: string): AgentEvent => ({
      ...base,
      type: 'thinking-delta',
      text,
      parentToolId,
    })
    const events: AgentEvent[] = [
      {...base, type: 'text-delta', text: 'First.'},
      think('Why?'),
      think('  '),
      delta('Below', 't'),
      delta('Because '),
      delta('of this.'),
      start,
      {...base, type: 'turn-end', ok: true, text: ''},
      think('Too late.'),
    ]
    const buildAll = (includeThinking: boolean) => {
      const builder = createMessageBuilder({ids, includeThinking})
      return [
        ...builder.start(origin),
        ...events.flatMap((event) => builder.addEvent(event)),
        ...builder.flush(1000),
        ...builder.end({verdict: 'succeeded', reason: 'done'} as RunEnding, 1000),
      ]
    }
    const messages = buildAll(true).map((one) => [
      one.seq,
      one.type,
      'content' in one && one.content,
    ])
    expect(messages).toEqual([
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
    const others = buildAll(true).filter(({type}) => type !== 'agent_thinking')
    expect(buildAll(false)).toEqual(others)
  })

  test('returns trailing thinking at the end of a stream', () => {
    const builder = createMessageBuilder({ids, includeThinking: true})
    builder.addEvent({...base, type: 'thinking-delta', text: 'Hm.'})
    expect(builder.flush(1000)).toEqual([])
    const content = 'Hm.'
    const data = {type: 'agent_thinking', ...ids, seq: 0, timestamp, content}
    expect([builder.flushThinking(), builder.flushThinking()]).toEqual([[data], []])
  })

  test('publishes text received as deltas once it is complete', () => {
    const builder = createMessageBuilder({ids})
    const addText = (text: string, messageId: string, parentToolId?: string) =>
      builder.addEvent({...base, type: 'text-delta', text, messageId, parentToolId})
    expect(addText('Hel', '1')).toEqual([])
    expect(addText('of a sub-agent', '2', 't')).toEqual([])
    expect(addText('lo', '1')).toEqual([])
    expect(builder.addEvent(start)).toMatchObject([{content: 'Hello'}, {type: 'agent_tool_call'}])
    expect(builder.flush(1000)).toMatchObject([{content: 'of a sub-agent'}])
    expect(builder.flush(1000)).toEqual([])
  })

  test('masks a secret at the cut of a result', () => {
    const mask = (text: string) => text.replaceAll(/secret-[a-z]+/g, '***')
    const builder = createMessageBuilder({ids, mask})
    builder.addEvent(start)
    const output = `${'x'.repeat(490)}secret-${'a'.repeat(50)}`
    expect(builder.addEvent({...end, output})).toMatchObject([
      {contentPreview: `${'x'.repeat(490)}***`, contentLength: output.length},
    ])
  })

  test('omits file changes of tools when a watcher reports them', () => {
    const change: AgentEvent = {...base, type: 'file-change', path: '/p/a', action: 'created'}
    expect(createMessageBuilder({ids, includeFileChanges: false}).addEvent(change)).toEqual([])
    expect(createMessageBuilder({ids}).addEvent(change)).toMatchObject([{type: 'file_changed'}])
  })

  test('publishes a permission request with a rule that would allow it', () => {
    const builder = createMessageBuilder({ids, suggestRule})
    builder.addEvent(start)
    const request: AgentEvent = {
      ...base,
      type: 'permission-request',
      requestId: 'q',
      toolId: 't',
      name: 'Bash',
      input: {command: 'npm test'},
    }
    const [message] = builder.addEvent(request)
    expect(message).toMatchObject({
      type: 'permission_request',
      requestId: 'q',
      toolUseId: 't',
      tool: 'Bash',
      input: {command: 'npm test'},
      suggestedRule: 'Bash(npm test)',
    })
    expect(builder.state.openRequests).toHaveLength(1)
    builder.resolveRequest('q', 2000)
    expect(builder.state.openRequests).toEqual([])
  })
})

test('formats times as ISO 8601', () => {
  fc.assert(
    fc.property(fc.array(fc.date({noInvalidDate: true})), (dates) => {
      // Each is messages after another, and many are of the same second.
      for (const date of dates.flatMap((one) => [one, one, new Date(one.getTime() + 7)])) {
        if (Number.isNaN(date.getTime())) continue
        expect(toTimestamp(date.getTime() + 0.4 * Math.sign(date.getTime()))).toBe(
          date.toISOString(),
        )
      }
    }),
  )
})

test('formats a time outside the range of dates as 1970', () => {
  expect(toTimestamp(Number.NaN)).toBe('1970-01-01T00:00:00.000Z')
  expect(toTimestamp(Number.MAX_VALUE)).toBe('1970-01-01T00:00:00.000Z')
  expect(toTimestamp(1000)).toBe(timestamp)
})
