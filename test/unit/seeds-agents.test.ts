import {pipeline} from 'node:stream/promises'
import {setImmediate as turn} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {outputFlags, parserFor} from '../../src/agents/parse.ts'
import type {AgentEvent} from '../../src/core/events/events.ts'
import {initialLedger, reduceLedger} from '../../src/core/run/ledger.ts'
import {createProcessor} from '../../src/runner/processor.ts'
import {colored} from '../../src/terminal/colors.ts'
import {createFormatter} from '../../src/terminal/format.ts'

// Requirements of the plan for a stream parser that no other test covers by name. docs/seeds.md refers to these tests.

const use = (id: string, name: string, input: object) =>
  JSON.stringify({type: 'assistant', message: {content: [{type: 'tool_use', id, name, input}]}})

/** The events of Claude's lines, each read at the given time. */
function read(...lines: (string | [string, number])[]): AgentEvent[] {
  let time = 0
  const parser = parserFor('claude', {now: () => time})
  return lines.flatMap((line) => {
    const [text, at] = typeof line === 'string' ? [line, time] : line
    time = at
    return parser?.parse(text) ?? []
  })
}

test.each([
  ['claude', 'claude'],
  ['/usr/local/bin/claude', 'claude'],
  ['claude.exe', 'claude'],
  ['codex', 'codex'],
  ['amp', 'amp'],
  ['unknown-agent', undefined],
  ['', undefined],
])('the parser for %j has the name %j', (command, name) => {
  expect(parserFor(command)?.agent).toBe(name)
})

test.each([
  ['claude', ['--output-format', 'stream-json', '--verbose']],
  ['/path/to/claude', ['--output-format', 'stream-json', '--verbose']],
  ['codex', ['exec', '--json']],
  ['amp', ['--stream-json']],
  ['unknown', []],
])('the flags for %j are %j', (command, flags) => {
  expect(outputFlags(command)).toEqual(flags)
})

test('parserFor translates the nine lines of the example', () => {
  const events = read(
    '{"type":"system","subtype":"init","session_id":"abc123","tools":["Read","Write","Edit","Bash"]}',
    `{"type":"assistant","message":{"content":[{"type":"text","text":"I'll read the file first."}]}}`,
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"tool_1","name":"Read","input":{"file_path":"/path/to/file.go"}}]}}',
    String.raw`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"tool_1","content":"package main\n..."}]}}`,
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"tool_2","name":"Bash","input":{"command":"go test ./..."}}]}}',
    String.raw`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"tool_2","content":"PASS\nok  \tpkg\t0.5s","is_error":false}]}}`,
    '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"tool_3","name":"Edit","input":{"file_path":"/path/to/file.go","old_string":"foo","new_string":"bar"}}]}}',
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"tool_3","content":"","is_error":true,"error":"Permission denied"}]}}',
    '{"type":"result","subtype":"success","result":"done","total_cost_usd":0.0234,"session_id":"abc123"}',
  )
  expect(events.filter(({type}) => type !== 'usage')).toMatchObject([
    {type: 'session-start', sessionId: 'abc123', tools: ['Read', 'Write', 'Edit', 'Bash']},
    {type: 'text', text: "I'll read the file first."},
    {type: 'tool-start', toolId: 'tool_1', name: 'Read', summary: '/path/to/file.go'},
    {type: 'tool-end', toolId: 'tool_1', ok: true, output: 'package main\n...'},
    {type: 'tool-start', toolId: 'tool_2', name: 'Bash', summary: 'go test ./...'},
    {type: 'tool-end', toolId: 'tool_2', ok: true, output: 'PASS\nok  \tpkg\t0.5s'},
    {type: 'tool-start', toolId: 'tool_3', name: 'Edit', summary: '/path/to/file.go'},
    {type: 'tool-end', toolId: 'tool_3', ok: false, error: 'Permission denied'},
    {type: 'turn-end', ok: true, text: 'done', costUsd: 0.0234},
  ])
})

test.each([
  ['Read', {file_path: '/p'}, '/p'],
  ['Write', {file_path: '/p', content: 'x'}, '/p'],
  ['Edit', {file_path: '/p'}, '/p'],
  ['Bash', {command: 'c'.repeat(61)}, `${'c'.repeat(59)}…`],
  ['Bash', {command: 'c'.repeat(60)}, 'c'.repeat(60)],
  ['Bash', {description: 'd'.repeat(61)}, `${'d'.repeat(59)}…`],
  ['Glob', {pattern: 'p'.repeat(41)}, `${'p'.repeat(39)}…`],
  ['Grep', {pattern: 'p'.repeat(41)}, `${'p'.repeat(39)}…`],
  ['Task', {description: 'd'.repeat(41)}, `${'d'.repeat(39)}…`],
  ['WebFetch', {url: 'u'.repeat(51)}, `${'u'.repeat(49)}…`],
  ['WebSearch', {url: 'u'.repeat(51)}, `${'u'.repeat(49)}…`],
  ['WebSearch', {query: 'q'.repeat(51)}, `${'q'.repeat(49)}…`],
  ['Unknown', {foo: 'bar'}, ''],
])('the summary of %s with %j is %j', (name, input, summary) => {
  expect(read(use('t', name, input))).toMatchObject([{type: 'tool-start', name, summary}])
})

test('an event has the time of its line, and a tool its duration', () => {
  const done =
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}}'
  expect(read([use('t', 'Bash', {}), 1000], [done, 3500])).toMatchObject([
    {type: 'tool-start', at: 1000},
    {type: 'tool-end', at: 3500, durationMs: 2500},
  ])
})

test('the cost is reported as a total and as the part of each turn', () => {
  const result = (total_cost_usd: number) => JSON.stringify({type: 'result', total_cost_usd})
  const events = read(result(0.25), result(0.75))
  const listCosts = (type: 'usage' | 'turn-end') =>
    events.flatMap((event) => (event.type === type ? [event.costUsd] : []))
  expect(listCosts('turn-end')).toEqual([0.25, 0.75])
  expect(listCosts('usage')).toEqual([0.25, 0.5])
  expect(events.reduce(reduceLedger, initialLedger).costUsd).toBe(0.75)
})

test('incomplete lines, empty lines and unknown types do not stop the parser', () => {
  expect(read('{not valid json', '', '{"type":"future_type","data":"something"}')).toMatchObject([
    {type: 'malformed', raw: '{not valid json'},
    {type: 'unknown', raw: '{"type":"future_type","data":"something"}'},
  ])
})

describe('a processor', () => {
  test('prints and counts the lines of ten concurrent writers', async () => {
    let out = ''
    const formatter = createFormatter({name: 'one'})
    const output = {write: (text: string) => (out += text)}
    const processor = createProcessor({agent: 'claude', formatter, output})
    const lines = Array.from({length: 1000}, (_, at) => use(`t${at}`, 'Read', {file_path: '/path'}))
    await Promise.all(
      Array.from({length: 10}, async (_, writer) => {
        for (const text of lines.slice(writer * 100, writer * 100 + 100)) {
          await new Promise((resolve) => processor?.write(`${text}\n`, resolve))
        }
      }),
    )
    processor?.write('{invalid json}\n{"type":"result","result":"done","total_cost_usd":0.01}\n')
    await processor?.close()
    const shown = out.split('\n')
    expect(shown.filter((text) => text === '[one] Read: /path')).toHaveLength(1000)
    expect(out).toContain('[one] Complete (cost: $0.0100)\n')
    expect(processor?.stats()).toMatchObject({errors: 1})
    expect(processor?.stats().events).toBeGreaterThan(1000)
  })

  test('ends with the error of its source, after all events before it', async () => {
    const events: string[] = []
    const processor = createProcessor({agent: 'claude', onEvent: ({type}) => events.push(type)})
    if (processor === null) throw new Error('no processor')
    async function* source() {
      yield `${use('t', 'Read', {})}\n`
      await turn()
      throw new Error('the pipe broke')
    }
    await expect(pipeline(source, processor)).rejects.toThrow('the pipe broke')
    expect(events).toEqual(['tool-start'])
  })

  test('is null for an unknown agent', () => {
    expect(createProcessor({agent: 'unknown-agent'})).toBeNull()
  })
})

test('prefix, tools, errors and the end have different colours, and no colours by default', () => {
  const failure =
    '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"no","is_error":true}]}}'
  const events = read(use('t', 'Read', {file_path: 'a'}), failure, '{"type":"result"}')
  const show = (colors?: typeof colored) => {
    const formatter = createFormatter({colors})
    return events.map((event) => formatter.format(event)).join('')
  }
  const {frame, tool, bad, good} = colored
  const prefix = frame('[claude]')
  expect(show(colored)).toBe(
    `${prefix} ${tool('Read')}: a\n${prefix} ${bad('ERROR:')} no\n${prefix} ${good('Complete')}\n`,
  )
  expect(new Set([frame, tool, bad, good].map((color) => color('x'))).size).toBe(4)
  expect(show()).toBe('[claude] Read: a\n[claude] ERROR: no\n[claude] Complete\n')
})
