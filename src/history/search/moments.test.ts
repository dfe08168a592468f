import {expect, test} from 'vitest'
import type {AgentEvent} from '../../core/events/events.ts'
import {createMomentCollector, type Moment} from './moments.ts'

const KEY = `sk-ant-api03-${'a1B2'.repeat(24)}-AA`

function collect(...events: object[]): Moment[] {
  const moments: Moment[] = []
  const collector = createMomentCollector((moment) => moments.push(moment))
  for (const [line, event] of events.entries()) {
    collector.see({at: line, line, agent: 'claude', ...event} as AgentEvent)
  }
  collector.end()
  return moments
}

const textOf = (...events: object[]) => collect(...events).map(({text}) => text)

test('finds prompts, replies, thinking and errors', () => {
  expect(
    collect(
      {type: 'status', status: 'notice', detail: 'prompt: Fix it\nplease'},
      {type: 'status', status: 'notice', detail: 'another notice'},
      {type: 'thinking', text: 'Hm.'},
      {type: 'text', text: ' Done. '},
      {type: 'text', text: ' '},
      {type: 'turn-end', ok: false, text: 'Done.', errors: ['No credit']},
    ),
  ).toEqual([
    {role: 'prompt', label: 'Prompt', at: 0, text: 'Fix it\nplease'},
    {role: 'thinking', label: 'Thinking', at: 2, text: 'Hm.'},
    {role: 'reply', label: 'Reply', at: 3, text: 'Done.'},
    {role: 'error', label: 'Error', at: 5, text: 'No credit'},
  ])
})

test.each([
  ['Bash', 'command', 'Bash'],
  ['Edit', 'edit', 'Edit'],
  ['Write', 'edit', 'Write'],
  ['Grep', 'read', 'Grep'],
  ['WebFetch', 'other', 'WebFetch'],
  ['Mcp', 'other', 'my_tool'],
])('a call of %s is a moment with the values of its input', (tool, role, label) => {
  const start = {
    type: 'tool-start',
    toolId: 't',
    name: 'my_tool',
    tool,
    input: {a: 'one', b: [2], c: 20, d: true},
  }
  expect(collect(start, {type: 'tool-end', toolId: 't', ok: true, output: 'three'})).toMatchObject([
    {role, label, text: 'one\n[2]'},
    {role: 'output', label: `${label} output`, text: 'three'},
  ])
})

test('a tool that failed has its error once', () => {
  const end = {type: 'tool-end', toolId: 't', ok: false}
  expect(
    collect(
      {...end, output: 'Error: no such file', error: 'no such file'},
      {...end, output: 'partial', error: 'timeout'},
    ),
  ).toMatchObject([
    {role: 'error', label: 'Tool error', text: 'Error: no such file'},
    {role: 'error', label: 'Tool error', text: 'timeout\npartial'},
  ])
})

test('joins deltas of the same message, also around other events', () => {
  const delta = (text: string, messageId?: string) => ({type: 'text-delta', text, messageId})
  expect(
    collect(
      delta('cre', 'a'),
      {type: 'usage', tokens: {}},
      delta('ate', 'a'),
      delta('other', 'b'),
      {type: 'thinking-delta', text: 'Hm', messageId: 'b'},
      delta('end', 'b'),
    ),
  ).toMatchObject([
    {role: 'reply', at: 0, text: 'create'},
    {role: 'reply', at: 3, text: 'other'},
    {role: 'thinking', at: 4, text: 'Hm'},
    {role: 'reply', at: 5, text: 'end'},
  ])
})

test('cuts long texts, and output of tools sooner', () => {
  const long = 'word '.repeat(10_000)
  const [reply = '', output = ''] = textOf(
    {type: 'text', text: long},
    {type: 'tool-end', toolId: 't', ok: true, output: long},
  )
  expect([reply.length, output.length]).toEqual([9999, 1999])
})

test('masks secrets, also where a text is cut', () => {
  const prefix = `${'x'.repeat(1980)} `
  const texts = textOf(
    {type: 'text', text: `Use ${KEY} now`},
    {type: 'tool-end', toolId: 't', ok: true, output: prefix + KEY},
    {type: 'text-delta', text: KEY.slice(0, 20)},
    {type: 'text-delta', text: KEY.slice(20)},
  )
  expect(texts[0]).toMatch(/^Use \S+ now$/)
  for (const text of texts) expect(text).not.toContain('a1B2')
})
