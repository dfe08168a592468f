import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {gemini} from './index.ts'

const FOLDER = new URL('fixtures/0.61.0/', import.meta.url)
const AT = Date.parse('2026-11-15T02:18:14.122Z')

function read(lines: string[]) {
  const parser = createEventParser(gemini, {now: () => AT})
  const events = [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
  return {events: events.map((event) => strip(event)), drift: parser.drift()}
}

function strip({line: _line, at: _at, agent: _agent, ...event}: AgentEvent) {
  return event
}

function capture(name: string) {
  return read(readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8').split('\n')).events
}

function records(...list: object[]) {
  const timestamp = '2026-11-15T02:18:14.122Z'
  return read(list.map((record) => JSON.stringify({timestamp, ...record}))).events
}

const SHELL = {type: 'tool_use', tool_name: 'run_shell_command', tool_id: 't', parameters: {}}

function endOf(tool: object, result: object) {
  const events = records(tool, {type: 'tool_result', tool_id: 't', ...result})
  return events.filter(({type}) => type !== 'tool-start')
}

test.each(readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl')))(
  'every line and field of %s is known',
  (name) => {
    const {events, drift} = read(readFileSync(new URL(name, FOLDER), 'utf8').split('\n'))
    expect(drift).toEqual([])
    expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
  },
)

test('a conversation is read, without the echo of the prompt', () => {
  expect(capture('text')).toEqual([
    {
      type: 'session-start',
      sessionId: '6d8a3f2c-ec15-4f7c-8177-300759dfa3eb',
      model: 'gemini-2.5-pro',
    },
    {type: 'text-delta', text: 'Hello from the moc'},
    {type: 'text-delta', text: 'k model. All good.'},
    {
      type: 'usage',
      tokens: {input: 800, output: 35, cacheRead: 200, cacheWrite: 0, reasoning: 5},
      model: 'gemini-2.5-pro',
    },
    {
      type: 'turn-end',
      ok: true,
      subtype: 'success',
      text: 'Hello from the mock model. All good.',
      durationMs: 113,
    },
  ])
})

test('the text of the turn is the text after the last tool', () => {
  expect(capture('tool_read_ok').at(-1)).toEqual({
    type: 'turn-end',
    ok: true,
    subtype: 'success',
    text: 'It has three lines.',
    durationMs: 1772,
  })
})

test('an event has the time of the agent', () => {
  const parser = createEventParser(gemini, {now: () => 0})
  const line = '{"type":"init","timestamp":"2026-11-15T02:18:14.122Z","session_id":"s","model":"m"}'
  expect(parser.parse(line)).toEqual([
    {type: 'session-start', sessionId: 's', model: 'm', line: 1, at: AT, agent: 'gemini'},
  ])
})

test('file changes and plans are read from the input of successful tools', () => {
  const kinds = new Set(['file-change', 'plan'])
  const effects = (name: string) => capture(name).filter(({type}) => kinds.has(type))
  expect(effects('write_and_replace')).toEqual([
    {
      type: 'file-change',
      path: 'new.txt',
      action: 'created',
      toolId: 'write_file__write_file_1794709129341_0',
      added: 1,
    },
    {
      type: 'file-change',
      path: 'keep.txt',
      action: 'modified',
      toolId: 'replace__replace_1794709129918_0',
    },
  ])
  expect(effects('todos')).toEqual([
    {
      type: 'plan',
      items: [
        {text: 'Read', status: 'in-progress'},
        {text: 'Fix', status: 'pending'},
      ],
    },
    {
      type: 'plan',
      items: [
        {text: 'Read', status: 'completed'},
        {text: 'Fix', status: 'completed'},
      ],
    },
  ])
})

test('a replacement of an empty text creates a file', () => {
  const parameters = {file_path: 'a', old_string: '', new_string: 'x\ny\n'}
  const tool = {type: 'tool_use', tool_name: 'replace', tool_id: 't', parameters}
  expect(endOf(tool, {status: 'success'})).toEqual([
    {type: 'file-change', path: 'a', action: 'created', toolId: 't', added: 2},
    {type: 'tool-end', toolId: 't', ok: true, output: '', outputLength: 0},
  ])
})

test('a failed tool changes no file', () => {
  const parameters = {file_path: 'a', content: 'x'}
  const tool = {type: 'tool_use', tool_name: 'write_file', tool_id: 't', parameters}
  const error = {type: 'file_write_failure', message: 'no space'}
  expect(endOf(tool, {status: 'error', output: 'Error', error})).toEqual([
    {type: 'tool-end', toolId: 't', ok: false, output: 'Error', outputLength: 5, error: 'no space'},
  ])
})

test('a shell command failed only if its output reports it', () => {
  const end = (output: string) => endOf(SHELL, {status: 'success', output})[0]
  const outcome = {type: 'tool-end', toolId: 't'}
  const printed = 'cat: x: No such file or directory'
  expect(end(printed)).toEqual({...outcome, ok: true, output: printed, outputLength: 33})
  const silent = 'Command exited with code: 3'
  const failed = {...outcome, ok: false, output: silent, outputLength: 27, error: silent}
  expect(end(silent)).toEqual({...failed, exitCode: 3})
  const debug = 'Output: a\nb\nExit Code: 2\nProcess Group PGID: 7'
  expect(end(debug)).toMatchObject({ok: false, exitCode: 2, error: debug})
  expect(end('Output: Exit Code: 2\nProcess Group PGID: 7')).toMatchObject({ok: true})
  expect(end('Command terminated by signal: 9')).toMatchObject({
    ok: false,
    error: 'Command terminated by signal: 9',
  })
})

test('a tool that the approval mode removed is denied, an invented one is not', () => {
  const error = {type: 'tool_not_registered', message: 'not found'}
  const end = {
    type: 'tool-end',
    toolId: 't',
    ok: false,
    output: '',
    outputLength: 0,
    error: 'not found',
  }
  expect(endOf(SHELL, {status: 'error', error})).toEqual([
    {
      type: 'permission-denied',
      toolId: 't',
      name: 'run_shell_command',
      input: {},
      reason: 'not found',
    },
    {...end, denied: true},
  ])
  expect(endOf({...SHELL, tool_name: 'fly'}, {status: 'error', error})).toEqual([end])
})

test('a call that the policy forbids is denied', () => {
  const error = {type: 'policy_violation', message: 'Tool execution denied by policy.'}
  expect(endOf(SHELL, {status: 'error', error}).map(({type}) => type)).toEqual([
    'permission-denied',
    'tool-end',
  ])
})

test('a result without a reason has that of the error before it', () => {
  expect(capture('error_empty_stream').slice(1)).toEqual([
    {type: 'status', status: 'warning', detail: 'Model stream ended without a finish reason.'},
    {
      type: 'usage',
      tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
      model: 'gemini-2.5-pro',
    },
    {
      type: 'turn-end',
      ok: false,
      subtype: 'error',
      text: '',
      errors: ['Model stream ended without a finish reason.'],
      durationMs: 7194,
    },
  ])
})

test('a failed request has a reason, but no duration of 0', () => {
  expect(capture('error_stream_cut').at(-1)).toEqual({
    type: 'turn-end',
    ok: false,
    subtype: 'error',
    text: '',
    errors: ['[API Error: exception TypeError: fetch failed sending request]'],
    reason: 'unknown',
  })
})

test('an interrupted run has no turn end', () => {
  expect(capture('norelaunch_sigint_during_command').map(({type}) => type)).toEqual([
    'session-start',
    'tool-start',
    'tool-end',
  ])
})

test('a truncated last line is malformed, and the tool unfinished', () => {
  const {events} = read([JSON.stringify(SHELL), '{"type":"tool_result","tool_id":"t","output":"1'])
  expect(events.map(({type}) => type)).toEqual(['tool-start', 'malformed', 'tool-end'])
})

test('the usage of several models adds up', () => {
  const stats = {
    models: {
      pro: {total_tokens: 117, input_tokens: 100, output_tokens: 10, cached: 40, input: 60},
      flash: {input_tokens: 7, output_tokens: 1, cached: 2},
    },
  }
  expect(records({type: 'result', status: 'success', stats})).toEqual([
    {
      type: 'usage',
      tokens: {input: 60, output: 17, cacheRead: 40, cacheWrite: 0, reasoning: 7},
      model: 'pro',
    },
    {type: 'usage', tokens: {input: 5, output: 1, cacheRead: 2, cacheWrite: 0}, model: 'flash'},
    {type: 'turn-end', ok: true, subtype: 'success', text: ''},
  ])
})

test('adds only missing flags', () => {
  expect(gemini.flags(['-p', 'hi'])).toEqual(['-o', 'stream-json'])
  expect(gemini.flags(['--output-format=json'])).toEqual([])
})

test('its lines are distinguished from those of other agents', () => {
  const timestamp = '2026-11-15T02:18:14.122Z'
  const detect = (record: object) => gemini.detect({timestamp, ...record})
  expect(detect({type: 'init', session_id: 's', model: 'm'})).toBe(3)
  expect(detect(SHELL)).toBe(3)
  expect(detect({type: 'tool_result', tool_id: 't', status: 'success'})).toBe(3)
  expect(detect({type: 'result', status: 'success', stats: {}})).toBe(3)
  expect(detect({type: 'message', role: 'user', content: 'x'})).toBe(2)
  expect(detect({type: 'error', severity: 'warning', message: 'x'})).toBe(2)
  expect(detect({type: 'system', subtype: 'init'})).toBe(0)
  expect(gemini.detect({type: 'result', subtype: 'success'})).toBe(0)
})

test('an aborted turn is not a success, even if its result is', () => {
  expect(capture('loop_detected').at(-1)).toMatchObject({
    type: 'turn-end',
    ok: false,
    subtype: 'success',
    errors: ['Loop detected, stopping execution'],
  })
})

test('a turn that continued after the abort may be a success', () => {
  const events = records(
    {type: 'error', severity: 'warning', message: 'Loop detected, stopping execution'},
    {type: 'message', role: 'assistant', content: 'Done after all.', delta: true},
    {type: 'result', status: 'success', stats: {}},
  )
  expect(events.at(-1)).toMatchObject({type: 'turn-end', ok: true})
})

test('the time of a parallel call is an upper bound, as all results are printed when the last call ends', () => {
  const call = (id: string, second: number) => ({...SHELL, tool_id: id, ...at(second)})
  const back = (id: string, second: number) => ({type: 'tool_result', tool_id: id, ...at(second)})
  const ends = (...list: object[]) => records(...list).filter(({type}) => type === 'tool-end')
  expect(ends(call('a', 1), call('b', 1), back('a', 3), back('b', 3))).toMatchObject([
    {toolId: 'a', maxDurationMs: 2000},
    {toolId: 'b', maxDurationMs: 2000},
  ])
  expect(ends(call('a', 1), back('a', 3))).toMatchObject([{toolId: 'a', durationMs: 2000}])
})

function at(second: number) {
  return {timestamp: new Date(second * 1000).toISOString()}
}
