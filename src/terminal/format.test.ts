import {stripVTControlCharacters} from 'node:util'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../core/events/events.ts'
import {colored} from './colors.ts'
import {createFormatter, type FormatterOptions} from './format.ts'
import {ascii} from './symbols.ts'

/** The lines for events, which get their line, time and agent here. */
function format(events: Record<string, unknown>[], options: FormatterOptions = {}): string[] {
  const formatter = createFormatter(options)
  const texts = events.map((event, index) =>
    formatter.format({line: index + 1, at: 0, agent: 'claude', ...event} as AgentEvent),
  )
  return (texts.join('') + formatter.end()).split('\n').slice(0, -1)
}

const start = (toolId: string, name: string, summary: string, more = {}) => ({
  type: 'tool-start',
  toolId,
  name,
  tool: name,
  input: {},
  summary,
  ...more,
})
const end = (toolId: string, more = {}) => ({
  type: 'tool-end',
  toolId,
  ok: true,
  output: '',
  outputLength: 0,
  ...more,
})
const failed = (toolId: string, error: string, more = {}) =>
  end(toolId, {ok: false, error, ...more})
const text = (content: string, more = {}) => ({type: 'text', text: content, ...more})
const complete = {type: 'turn-end', ok: true, text: 'done', costUsd: 0.015}

describe('the formatter in the requested examples', () => {
  const run = [
    start('1', 'Read', 'internal/config/config.go'),
    end('1', {output: 'package config...'}),
    text("I'll fix the failing test by updating the expected value..."),
    start('2', 'Edit', 'internal/config/config_test.go'),
    end('2', {output: '(edited 3 lines)'}),
    start('3', 'Bash', 'go test ./internal/config/...'),
    end('3', {output: 'PASS ok pkg 0.5s'}),
    complete,
  ]

  test('shows a run', () => {
    expect(format(run)).toEqual([
      '[claude] Read: internal/config/config.go',
      '[claude] "I\'ll fix the failing test by updating the expected value..."',
      '[claude] Edit: internal/config/config_test.go',
      '[claude] Bash: go test ./internal/config/...',
      '[claude] Complete (cost: $0.0150)',
    ])
  })

  test('shows more of a run with -v', () => {
    expect(format(run, {verbose: 1})).toEqual([
      '[claude] Read: internal/config/config.go',
      '[claude]   -> package config...',
      '[claude] "I\'ll fix the failing test by updating the expected value..."',
      '[claude] Edit: internal/config/config_test.go',
      '[claude]   -> (edited 3 lines)',
      '[claude] Bash: go test ./internal/config/...',
      '[claude]   -> PASS ok pkg 0.5s',
      '[claude] Complete (cost: $0.0150)',
    ])
  })

  test('shows a failed tool', () => {
    expect(format([start('1', 'Edit', '/etc/passwd'), failed('1', 'Permission denied')])).toEqual([
      '[claude] Edit: /etc/passwd',
      '[claude] ERROR: Permission denied',
    ])
  })

  test('shows a tool, an error and a result alone', () => {
    expect(format([start('1', 'Read', '/path/to/file.go')])).toEqual([
      '[claude] Read: /path/to/file.go',
    ])
    expect(format([failed('1', 'Permission denied')])).toEqual([
      '[claude] ERROR: Permission denied',
    ])
    expect(format([{...complete, costUsd: 0.0234}])).toEqual(['[claude] Complete (cost: $0.0234)'])
  })

  test('shows no text when it is turned off', () => {
    expect(format([text('Some assistant text')], {text: false})).toEqual([])
  })

  test('returns complete lines, so that several formatters can share an output', () => {
    const formatters = Array.from({length: 10}, () => createFormatter())
    const event = {...start('1', 'Read', '/path'), line: 1, at: 0, agent: 'claude'} as AgentEvent
    const out = formatters.map((formatter) => formatter.format(event)).join('')
    expect(out).toBe('[claude] Read: /path\n'.repeat(10))
  })
})

describe('the formatter on a terminal', () => {
  const wide = {width: 100}
  const line = (left: string, right: string, width = 100) =>
    left + right.padStart(width - left.length)

  test('shows a tool with its facts when it ends', () => {
    const events = [
      start('1', 'Read', 'src/webhooks/handler.ts'),
      end('1', {output: 'x\n'.repeat(180), durationMs: 41}),
      start('2', 'Write', 'migrations/0042.sql'),
      {type: 'file-change', path: 'x', action: 'created', toolId: '2', added: 4},
      end('2', {durationMs: 18}),
      start('3', 'Edit', 'handler.ts'),
      {type: 'file-change', path: 'x', action: 'modified', toolId: '3', added: 4, removed: 2},
      end('3', {durationMs: 24}),
      start('4', 'Bash', 'npm test'),
      end('4', {durationMs: 82_000}),
    ]
    expect(format(events, wide)).toEqual([
      line('[claude] Read: src/webhooks/handler.ts', '180 lines    41ms'),
      line('[claude] Write: migrations/0042.sql', '+4    18ms'),
      line('[claude] Edit: handler.ts', '+4 −2    24ms'),
      line('[claude] Bash: npm test', '1m 22s'),
    ])
    expect(format(events, {width: 60})).toEqual([
      line('[claude] Read: src/webhooks/handler.ts', '41ms', 60),
      line('[claude] Write: migrations/0042.sql', '18ms', 60),
      line('[claude] Edit: handler.ts', '24ms', 60),
      line('[claude] Bash: npm test', '1m 22s', 60),
    ])
  })

  test('marks a failed tool and shows the error', () => {
    const events = [
      start('1', 'Read', 'dedupe.ts'),
      failed('1', 'File does not exist.', {durationMs: 84}),
      start('2', 'Bash', 'npm test'),
      failed('2', 'a\nb\nAssertionError: expected 2 to be 1\n\nx.test.ts:58:31\n', {
        exitCode: 1,
        durationMs: 82_000,
      }),
    ]
    expect(format(events, wide)).toEqual([
      line('[claude] Read: dedupe.ts', '✗    84ms'),
      '[claude] ERROR: File does not exist.',
      line('[claude] Bash: npm test', '✗ exit 1  1m 22s'),
      '[claude] ERROR: AssertionError: expected 2 to be 1',
      '[claude]        x.test.ts:58:31',
    ])
    expect(format(events, {width: 60})).toEqual([
      line('[claude] Read: dedupe.ts', '✗ 84ms', 60),
      '[claude] ERROR: File does not exist.',
      line('[claude] Bash: npm test', '✗ 1m 22s', 60),
      '[claude] ERROR: AssertionError: expected 2 to be 1',
      '[claude]        x.test.ts:58:31',
    ])
  })

  test('cuts the summary first, and keeps the closing quote of a text', () => {
    const events = [
      text('x'.repeat(100)),
      start('1', 'Bash', 'git log -S createRefund --oneline -- src and more of it'),
      end('1', {durationMs: 24_000}),
    ]
    expect(format(events, {width: 60})).toEqual([
      `[claude] "${'x'.repeat(48)}…"`,
      '[claude] Bash: git log -S createRefund --oneline -- sr…  24s',
    ])
  })

  test('shows a sub-agent before its tools, and its facts after them', () => {
    const events = [
      start('t', 'Agent', 'Map writers', {tool: 'Task'}),
      start('1', 'Grep', 'insert', {parentToolId: 't'}),
      end('1', {output: 'a\nb\n', durationMs: 3000}),
      text('Two writers.', {parentToolId: 't'}),
      end('t', {durationMs: 135_000}),
    ]
    expect(format(events, wide)).toEqual([
      '[claude] Task: Map writers',
      line('[claude]   │ Grep: insert', '2 lines    3.0s'),
      '[claude]   │ "Two writers."',
      line('[claude]   │ done', '1 tool  2m 15s'),
    ])
  })

  test('shows a sub-agent without tools on one line', () => {
    const events = [start('t', 'task', 'Map', {tool: 'Task'}), end('t', {durationMs: 3000})]
    expect(format(events, wide)).toEqual([line('[claude] Task: Map', '3.0s')])
  })

  test('shows that a tool was denied', () => {
    const events = [start('1', 'Bash', 'rm -rf /'), failed('1', 'Not this one', {denied: true})]
    expect(format(events, wide)).toEqual([
      line('[claude] Bash: rm -rf /', '✗ denied'),
      '[claude] ERROR: denied: Not this one',
    ])
  })

  test('shows that a tool is unfinished', () => {
    expect(
      format([start('1', 'Bash', 'sleep 99'), failed('1', 'x', {unfinished: true})], wide),
    ).toEqual([line('[claude] Bash: sleep 99', 'unfinished')])
  })

  test('counts two columns for wide characters', () => {
    const [shown = ''] = format([text('玻璃'.repeat(40))], {width: 60})
    expect(shown).toBe(`[claude] "${'玻璃'.repeat(12)}…"`)
  })
})

describe('the formatter without a terminal', () => {
  test('shows a tool when it starts, and again when it took long or failed', () => {
    expect(
      format([
        start('1', 'Bash', 'npm test'),
        end('1', {durationMs: 118_000}),
        start('2', 'Bash', 'npm test -- webhooks'),
        failed('2', 'AssertionError: expected 2 to be 1', {exitCode: 1, durationMs: 82_000}),
        start('3', 'Bash', 'false'),
        failed('3', '', {exitCode: 1}),
      ]),
    ).toEqual([
      '[claude] Bash: npm test',
      '[claude]   -> ok, 1m 58s',
      '[claude] Bash: npm test -- webhooks',
      '[claude] ERROR: exit 1 after 1m 22s: AssertionError: expected 2 to be 1',
      '[claude] Bash: false',
      '[claude] ERROR: exit 1',
    ])
  })

  test('names the tool in a line that does not follow it directly', () => {
    expect(
      format([
        start('1', 'Read', 'a'),
        start('2', 'lab', '', {tool: 'Other'}),
        start('3', 'Bash', 'c'),
        failed('1', 'gone'),
        end('2', {durationMs: 2000}),
        failed('3', 'x', {unfinished: true}),
      ]),
    ).toEqual([
      '[claude] Read: a',
      '[claude] lab',
      '[claude] Bash: c',
      '[claude] ERROR: gone (Read: a)',
      '[claude]   -> ok, 2.0s (lab)',
      '[claude]   -> unfinished',
    ])
  })

  test('-v shows the output of a tool whose call was not seen', () => {
    const events = [
      end('unseen', {output: 'one\ntwo'}),
      failed('other', 'three', {output: 'three\nfour'}),
    ]
    expect(format(events, {verbose: 1})).toEqual([
      '[claude]   -> one',
      '[claude]   -> two',
      '[claude] ERROR: three',
      '[claude]   -> three',
      '[claude]   -> four',
    ])
    expect(format(events)).toEqual(['[claude] ERROR: three'])
  })

  test('shows no line for a value that is not an event', () => {
    const formatter = createFormatter()
    for (const value of [null, undefined, 1, 'text', [], {}]) {
      expect(formatter.format(value as unknown as AgentEvent)).toBe('')
    }
  })

  test('does not cut lines by width', () => {
    expect(format([text('x'.repeat(500))])).toEqual([`[claude] "${'x'.repeat(500)}"`])
    expect(format([text('x'.repeat(5000))])).toEqual([`[claude] "${'x'.repeat(2000)}…"`])
  })
})

describe('the formatter shows a line for', () => {
  test.each([
    ['a text of one line', text('\n one\n'), '[claude] "one"'],
    ['a text of several lines', text('\n one\ntwo'), '[claude] "one …"'],
    ['a session', {type: 'session-start', sessionId: 's'}, '[vitrine] claude'],
    [
      'a session with all its facts',
      {
        type: 'session-start',
        sessionId: 's',
        agentVersion: '2.1',
        model: 'claude-opus-5-5',
        cwd: '/home/me/ledger-api/',
      },
      '[vitrine] claude 2.1 · opus-5-5 · ledger-api',
    ],
    [
      'a plan',
      {
        type: 'plan',
        items: [
          {text: 'One', status: 'completed'},
          {text: 'Two', status: 'pending'},
        ],
      },
      '[claude] Plan: 1/2 → Two',
    ],
    [
      'work in the background',
      {type: 'task-start', taskId: 't', description: 'npm test'},
      '[claude] Background: npm test',
    ],
    [
      'its end',
      {type: 'task-end', taskId: 't', description: 'npm test'},
      '[claude] Background ended: npm test',
    ],
    [
      'its failure',
      {type: 'task-end', taskId: 't', description: 'x', ok: false},
      '[claude] Background failed: x',
    ],
    [
      'a question',
      {type: 'permission-request', name: 'Bash', input: {command: 'npm run migrate'}},
      '[claude] Asks: Bash: npm run migrate',
    ],
    [
      'a question about nothing',
      {type: 'permission-request', name: 'X', input: 1},
      '[claude] Asks: X',
    ],
    [
      'a refusal',
      {type: 'permission-denied', name: 'Write', input: {file_path: 'a'}},
      '[claude] Denied: Write: a',
    ],
    [
      'a retry',
      {type: 'status', status: 'api-retry', detail: 'overloaded (529)', attempt: 3, of: 10},
      '[claude] API retry 3/10: overloaded (529)',
    ],
    [
      'a retry of unknown count',
      {type: 'status', status: 'api-retry', detail: 'x'},
      '[claude] API retry: x',
    ],
    [
      'one of unknown end',
      {type: 'status', status: 'api-retry', detail: 'x', attempt: 2},
      '[claude] API retry 2: x',
    ],
    [
      'a limit',
      {
        type: 'status',
        status: 'rate-limit',
        detail: 'used up',
        until: Date.UTC(2026, 10, 15, 15, 6),
        isBlocking: true,
      },
      '[claude] Rate-limited until 15:06: used up',
    ],
    [
      'a limit without an end',
      {type: 'status', status: 'rate-limit', detail: 'quota', isBlocking: true},
      '[claude] Rate-limited: quota',
    ],
    [
      'compacting',
      {type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'},
      '[claude] Compacting',
    ],
    [
      'another model',
      {type: 'status', status: 'model-fallback', detail: 'Sonnet'},
      '[claude] Model switched: Sonnet',
    ],
    [
      'a warning',
      {type: 'status', status: 'warning', detail: 'careful'},
      '[claude] Warning: careful',
    ],
    ['a changed file', {type: 'file-change', path: 'a', action: 'modified'}, '[claude] Changed: a'],
    ['a run without cost', {type: 'turn-end', ok: true, text: ''}, '[claude] Complete'],
    ['a run that cost nothing', {...complete, costUsd: 0}, '[claude] Complete (cost: $0.0000)'],
    [
      'a bad line',
      {type: 'malformed', raw: '{', size: 1, reason: 'invalid-json'},
      '[claude] Malformed: line 1: not JSON, 1 byte, kept',
    ],
    [
      'a long line',
      {type: 'malformed', raw: '', size: 99_000_000, reason: 'line-too-long'},
      '[claude] Malformed: line 1: too long, 99,000,000 bytes',
    ],
  ])('%s', (_, event, shown) => {
    expect(format([event])).toEqual([shown])
  })

  test.each([
    [
      'thoughts',
      {type: 'thinking', text: 'first\nsecond'},
      ['[claude] Thinking: first', '[claude]   second'],
    ],
    ['whole texts', text('one\n\ntwo\n'), ['[claude] "one', '[claude]   ', '[claude]   two"']],
    ['hooks', {type: 'status', status: 'hook', detail: 'Stop ok'}, ['[claude] Hook: Stop ok']],
    ['notes', {type: 'status', status: 'notice', detail: 'hi'}, ['[claude] Note: hi']],
    [
      'news of limits',
      {
        type: 'status',
        status: 'rate-limit',
        detail: 'five-hour window 91% used',
        until: Date.UTC(2026, 10, 15, 15, 6),
        isBlocking: false,
        usedShare: 0.91,
      },
      ['[claude] Limit: five-hour window 91% used, resets 15:06'],
    ],
    [
      'what is unknown',
      {type: 'unknown', raw: '{}', reason: 'system/x'},
      ['[claude] Unknown: system/x (line 1, kept)'],
    ],
  ])('%s, only with -v', (_, event, shown) => {
    expect(format([event], {verbose: 1})).toEqual(shown)
    expect(format([event]).length).toBeLessThan(shown.length === 3 ? 2 : 1)
  })

  test.each([
    ['empty text', text('  \n ')],
    ['an update', {type: 'tool-update', toolId: 't'}],
    ['usage', {type: 'usage', tokens: {}}],
    ['being at work', {type: 'status', status: 'working', detail: 'x'}],
    ['the end of a tool without a start', end('t')],
  ])('the formatter shows nothing for %s', (_, event) => {
    expect(format([event], {verbose: 0})).toEqual([])
  })
})

test('a malformed line shows its beginning only with -v', () => {
  const raw = `{"half \u001b[31m${'x'.repeat(200)}\n`
  const bad = {type: 'malformed', raw, size: 212, reason: 'invalid-json'}
  const line = '[claude] Malformed: line 1: not JSON, 212 bytes, kept'
  expect(format([bad])).toEqual([line])
  expect(format([bad], {verbose: 1})).toEqual([
    line,
    `[claude]   -> {"half \\x1b[31m${'x'.repeat(87)}…`,
  ])
  const secret = {...bad, raw: 'visit http://127.0.0.1/login?authToken=f298fb36a384242e912fac9f16'}
  expect(format([secret], {verbose: 1}).join('')).not.toContain('f298fb')
  const tooLong = {type: 'malformed', raw: '', size: 9, reason: 'line-too-long'}
  expect(format([tooLong], {verbose: 1})).toHaveLength(1)
})

test('the agent can be shown under another name', () => {
  const events = [start('1', 'Read', 'a'), text('Hi'), complete]
  expect(format(events, {name: 'reviewer'})).toEqual([
    '[reviewer] Read: a',
    '[reviewer] "Hi"',
    '[reviewer] Complete (cost: $0.0150)',
  ])
})

test('the first line of a recorded run can come before its first event', () => {
  const formatter = createFormatter({session: {recording: '7f3a', budget: '$5.00'}})
  const session = {type: 'session-start', sessionId: 's', model: 'claude-opus-5-5', cwd: '/a/app'}
  const stamp = {line: 1, at: 0, agent: 'claude'}
  expect(formatter.begin('claude')).toBe('[vitrine] claude · recording 7f3a · budget $5.00\n')
  expect(formatter.begin('claude')).toBe('')
  expect(formatter.format({...stamp, ...session} as AgentEvent)).toBe(
    '[vitrine] claude · opus-5-5 · app\n',
  )
  expect(formatter.format({...stamp, ...session} as AgentEvent)).toBe('')
  expect(createFormatter().begin('claude')).toBe('')
})

test('reports only the cost of this run in a resumed session', () => {
  const tokens = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0}
  const used = (costUsd: number) => ({type: 'usage', tokens, costUsd})
  expect(
    format([used(0.25), {...complete, costUsd: 5.25}, used(0.5), {...complete, costUsd: 5.75}]),
  ).toEqual([
    '[claude] Complete (cost: $0.2500 in this run)',
    '[claude] Complete (cost: $0.7500 in this run)',
  ])
  expect(format([used(0.25), {...complete, costUsd: 0.25}])).toEqual([
    '[claude] Complete (cost: $0.2500)',
  ])
})

describe('a turn', () => {
  test('is not shown as complete when it failed', () => {
    const error = 'API Error: 529 Overloaded.\nmore'
    expect(
      format([{type: 'turn-end', ok: false, text: '', errors: [error], costUsd: 0.34}]),
    ).toEqual(['[claude] ERROR: API Error: 529 Overloaded.', '[claude] Failed (cost: $0.3400)'])
    expect(format([{type: 'turn-end', ok: false, text: ''}])).toEqual([
      '[claude] ERROR: no reason given',
      '[claude] Failed',
    ])
  })

  test('is shown as stopped when it was interrupted, and the next one is not', () => {
    const bad = {type: 'turn-end', ok: false, text: '', errors: ['x']}
    expect(format([{type: 'status', status: 'interrupted', detail: 'x'}, bad, bad])).toEqual([
      '[claude] Interrupted',
      '[claude] Stopped',
      '[claude] ERROR: x',
      '[claude] Failed',
    ])
  })

  test('is not shown as complete while a background task runs', () => {
    const task = {type: 'task-start', taskId: 't', description: 'job'}
    expect(format([task, {...complete, costUsd: 1.12, durationMs: 760_000}])).toEqual([
      '[claude] Background: job',
      '[claude] Result 1: $1.12, 12m 40s, 1 task in the background',
    ])
  })
})

describe('text in deltas', () => {
  const delta = (content: string, more = {}) => ({type: 'text-delta', text: content, ...more})
  const thought = (content: string) => ({type: 'thinking-delta', text: content})

  test('is shown when it is complete', () => {
    expect(format([delta('Hel'), delta('lo'), start('1', 'Read', 'a')])).toEqual([
      '[claude] "Hello"',
      '[claude] Read: a',
    ])
    expect(format([delta('Hel'), delta('lo')])).toEqual(['[claude] "Hello"'])
  })

  test('is kept apart from thinking and from other authors', () => {
    const sub = {parentToolId: 't'}
    expect(
      format(
        [
          start('t', 'Task', 'x'),
          thought('hm'),
          delta('main'),
          delta('sub', sub),
          delta(' goes on'),
          delta(' too', sub),
          end('t'),
        ],
        {verbose: 1},
      ),
    ).toEqual([
      '[claude] Task: x',
      '[claude] Thinking: hm',
      '[claude] "main goes on"',
      '[claude]   │ "sub too"',
    ])
  })

  test('is split by message', () => {
    const [one, two] = [{messageId: 'm1'}, {messageId: 'm2'}]
    expect(format([delta('First.\nmore', one), delta('Second', two)])).toEqual([
      '[claude] "First. …"',
      '[claude] "Second"',
    ])
  })

  test('does not keep text that is not shown', () => {
    const formatter = createFormatter()
    for (let count = 0; count < 10_000; count++) {
      formatter.format({type: 'text-delta', text: 'x'.repeat(1000), line: 1, at: 0, agent: 'a'})
    }
    expect(formatter.end().length).toBeLessThan(4000)
  })
})

test('numbers parallel sub-agents', () => {
  const task = (id: string) => start(id, 'Task', id)
  const inner = (id: string, parentToolId: string) => start(id, 'Read', id, {parentToolId})
  expect(
    format([task('a'), task('b'), inner('1', 'a'), inner('2', 'b'), end('a'), inner('3', 'b')]),
  ).toEqual([
    '[claude] Task: a',
    '[claude] Task: b',
    '[claude]   │1 Read: 1',
    '[claude]   │2 Read: 2',
    '[claude]   │ Read: 3',
  ])
})

test('a to-do tool is shown as its plan, once', () => {
  const items = [{text: 'One', status: 'pending'}]
  const todo = start('1', 'TodoWrite', '', {tool: 'Todo'})
  const plan = {type: 'plan', items}
  expect(format([todo, plan, end('1'), plan])).toEqual(['[claude] Plan: 0/1 → One'])
  expect(format([todo, failed('1', 'no such tool')])).toEqual([
    '[claude] TodoWrite',
    '[claude] ERROR: no such tool',
  ])
})

test('tools of MCP servers are named by their server', () => {
  const mcp = (name: string) => start(name, name, '', {tool: 'Mcp'})
  expect(format([mcp('mcp__postgres__query'), mcp('lab/echo'), mcp('mcp_x')])).toEqual([
    '[claude] postgres.query',
    '[claude] lab.echo',
    '[claude] mcp_x',
  ])
})

describe('-v', () => {
  test('shows 20 lines of output, -vv all', () => {
    const output = Array.from({length: 25}, (_, index) => `line ${index + 1}`).join('\n')
    const events = [start('1', 'Bash', 'seq'), end('1', {output})]
    const some = format(events, {verbose: 1})
    expect(some).toHaveLength(22)
    expect(some.at(-1)).toBe('[claude]   -> … 5 more lines (-vv for all)')
    expect(format(events, {verbose: 2})).toHaveLength(26)
  })

  test('shows the removed and added lines of an edit', () => {
    const input = {file_path: 'a', old_string: 'one', new_string: 'two\nthree'}
    expect(
      format([start('1', 'Edit', 'a', {input}), end('1', {output: 'ok'})], {verbose: 1}),
    ).toEqual(['[claude] Edit: a', '[claude]   - one', '[claude]   + two', '[claude]   + three'])
  })

  test('does not repeat the error of a failed tool', () => {
    const events = [start('1', 'Read', 'a'), failed('1', 'gone', {output: 'gone'})]
    expect(format(events, {verbose: 1})).toEqual(['[claude] Read: a', '[claude] ERROR: gone'])
  })

  test('shows a short error once, whatever the agent prints around it', () => {
    const output = 'Exit code 3\nout\n\nerr\n'
    const run = [start('1', 'Bash', 'x'), failed('1', output, {output, exitCode: 3})]
    expect(format(run, {verbose: 1, width: 60}).slice(1)).toEqual([
      '[claude] ERROR: out',
      '[claude]        err',
    ])
    expect(format(run, {verbose: 1}).slice(1)).toEqual([
      '[claude] ERROR: exit 3: out',
      '[claude]        err',
    ])
    expect(format(run).slice(1)).toEqual(['[claude] ERROR: exit 3: out'])
  })

  test('shows the rest of a long error', () => {
    const output = 'one\ntwo\nthree'
    const run = [start('1', 'Bash', 'x'), failed('1', output, {output, exitCode: 1})]
    expect(format(run, {verbose: 1, width: 60}).slice(1)).toEqual([
      '[claude] ERROR: two',
      '[claude]        three',
      '[claude]   -> one',
      '[claude]   -> two',
      '[claude]   -> three',
    ])
  })

  test('shows an error of two lines once when it fits on one', () => {
    const output = 'It has two flaws:\n  a is missing\n  b is no text'
    const run = [start('1', 'Edit', 'x'), failed('1', output, {output})]
    const line = '[claude] ERROR: It has two flaws: a is missing b is no text'
    expect(format(run, {verbose: 1}).slice(1)).toEqual([line])
    expect(format(run, {verbose: 1, width: 60}).slice(1)).toEqual([line])
    expect(format(run, {verbose: 1, width: 40})).toHaveLength(5)
  })
})

describe('paths', () => {
  const session = {type: 'session-start', sessionId: 's', cwd: '/home/dev/project'}
  const show = (events: Record<string, unknown>[], options = {}) =>
    format([session, ...events], options).slice(1)

  test('inside the working directory are relative', () => {
    const input = {file_path: '/home/dev/project/src/b.ts'}
    expect(
      show([
        start('1', 'Read', '/home/dev/project/src/a.ts'),
        failed('1', 'No'),
        start('2', 'Read', '/home/dev/project/a, /home/dev/project/b, /etc/hosts'),
        start('3', 'Glob', '/home/dev/project'),
        {type: 'file-change', path: '/home/dev/project/src/c.ts', action: 'modified'},
        {type: 'permission-request', name: 'Write', input},
        {type: 'permission-denied', name: 'Write', input},
        failed('2', 'No'),
      ]),
    ).toEqual([
      '[claude] Read: src/a.ts',
      '[claude] ERROR: No',
      '[claude] Read: a, b, /etc/hosts',
      '[claude] Glob: .',
      '[claude] Changed: src/c.ts',
      '[claude] Asks: Write: src/b.ts',
      '[claude] Denied: Write: src/b.ts',
      '[claude] ERROR: No (Read: a, b, /etc/hosts)',
    ])
  })

  test('outside the working directory, and commands, are unchanged', () => {
    const summaries = [
      ['Read', '/home/dev/projects/a.ts'],
      ['Read', 'src/a.ts'],
      ['Read', '/home/dev'],
      ['Bash', '/home/dev/project/run.sh'],
      ['Bash', 'cat a, /home/dev/project/b'],
    ]
    expect(show(summaries.map(([name = '', path = ''], at) => start(`${at}`, name, path)))).toEqual(
      summaries.map(([name, path]) => `[claude] ${name}: ${path}`),
    )
  })

  test('are relative to a working directory that the stream does not report', () => {
    const run = [start('1', 'Edit', '/srv/a.ts')]
    expect(format(run, {cwd: '/srv/'})).toEqual(['[claude] Edit: a.ts'])
    expect(format(run)).toEqual(['[claude] Edit: /srv/a.ts'])
    expect(format(run, {cwd: '/'})).toEqual(['[claude] Edit: /srv/a.ts'])
    expect(format([start('1', 'Edit', 'C:\\w\\a.ts')], {cwd: 'C:\\w'})).toEqual([
      '[claude] Edit: a.ts',
    ])
  })
})

describe('colours of tools', () => {
  const RED = '\u001b[1;31m'
  const OFF = '\u001b[0m'

  test('are removed from output, and other control characters are escaped', () => {
    const output = `${RED}FAIL${OFF} a\u001b[38:5:9mb\u009b32mc\u001b[m \u001b[2Jd\u001b[?25l\u001b]0;t\u0007`
    const lines = [
      '[claude] Bash: test',
      '[claude]   -> FAIL abc \\x1b[2Jd\\x1b[?25l\\x1b]0;t\\x07',
    ]
    const run = [start('1', 'Bash', 'test'), end('1', {output})]
    expect(format(run, {verbose: 1})).toEqual(lines)
    const inColor = format(run, {verbose: 1, colors: colored})
    expect(inColor.map((line) => stripVTControlCharacters(line))).toEqual(lines)
    expect(inColor.join('')).not.toContain(RED)
  })

  test('are removed from errors, and hide no text', () => {
    const error = `${RED}Exit code 1${OFF}\n${RED}boom${OFF}\n${OFF}\n`
    const run = [start('1', 'Bash', 'test'), failed('1', error, {exitCode: 1, output: error})]
    expect(format(run)).toEqual(['[claude] Bash: test', '[claude] ERROR: exit 1: boom'])
    const denied = failed('1', `${RED}No${OFF}`)
    expect(format([start('1', 'Edit', 'a'), denied])).toEqual([
      '[claude] Edit: a',
      '[claude] ERROR: No',
    ])
  })

  test('cannot form an escape sequence when they are removed', () => {
    const output = '\u001b\u001b[0m[2J'
    const run = [start('1', 'Bash', 'test'), end('1', {output})]
    expect(format(run, {verbose: 1}).at(-1)).toBe('[claude]   -> \\x1b[2J')
  })
})

test('unusual output is shown as intended', () => {
  const bash = start('1', 'Bash', 'dir')
  expect(format([bash, end('1', {output: 'a\r\nb\r\n'})], {verbose: 1})).toEqual([
    '[claude] Bash: dir',
    '[claude]   -> a',
    '[claude]   -> b',
  ])
  const name = 'x'.repeat(200)
  expect(format([start('1', name, 'y', {tool: 'Other'})], {width: 60})).toEqual([])
  expect(format([start('1', name, 'y', {tool: 'Other'}), end('1')], {width: 60})).toEqual([
    `[claude] ${'x'.repeat(39)}…: y`,
  ])
  const limit = {
    type: 'status',
    status: 'rate-limit',
    detail: 'used up',
    until: 1e300,
    isBlocking: true,
  }
  expect(format([limit])).toEqual(['[claude] Rate-limited until ?: used up'])
})

test('the most useful line of an error is shown', () => {
  const fail = (error: string, more = {}) =>
    format([start('1', 'Bash', 'x', more), failed('1', error)]).at(-1)
  expect(fail('Command timed out after 1s.\na')).toBe('[claude] ERROR: Command timed out after 1s.')
  expect(fail('a\nSession closed')).toBe('[claude] ERROR: Session closed')
  expect(fail('a\n<shell_metadata>\nkilled\n</shell_metadata>')).toBe('[claude] ERROR: killed')
  expect(fail('Invalid input:\n  a is missing\n', {tool: 'Read'})).toBe(
    '[claude] ERROR: Invalid input: a is missing',
  )
})

test('colours follow the roles', () => {
  const events = [start('1', 'Read', 'a'), start('2', 'Task', 'b'), failed('1', 'x'), complete]
  expect(format(events, {colors: colored})).toEqual([
    '\u001b[2m[claude]\u001b[0m \u001b[36mRead\u001b[0m: a',
    '\u001b[2m[claude]\u001b[0m \u001b[35mTask\u001b[0m: b',
    '\u001b[2m[claude]\u001b[0m \u001b[1;31mERROR:\u001b[0m x (Read: a)',
    '\u001b[2m[claude]\u001b[0m \u001b[32mComplete\u001b[0m (cost: \u001b[1m$0.0150\u001b[0m)',
  ])
})

test('colours do not count for the width of a line', () => {
  const events = [
    start('1', 'Edit', 'a', {input: {old_string: 'x'.repeat(99), new_string: 'y'}}),
    end('1', {durationMs: 5}),
    start('2', 'Bash', 'seq'),
    end('2', {output: 'z'.repeat(99), durationMs: 5}),
    text('w'.repeat(99)),
  ]
  const options = {width: 60, verbose: 1}
  const bare = format(events, options)
  expect(bare.map((line) => line.length)).toEqual([60, 60, 14, 60, 60, 60])
  const inColor = format(events, {...options, colors: colored})
  expect(inColor).not.toEqual(bare)
  expect(inColor.map((line) => stripVTControlCharacters(line))).toEqual(bare)
})

test('the formatter uses ASCII signs when asked to', () => {
  const events = [
    start('t', 'Task', 'x'),
    text('x'.repeat(99), {parentToolId: 't'}),
    failed('t', 'no'),
  ]
  expect(format(events, {symbols: ascii, width: 40})).toEqual([
    '[claude] Task: x',
    '[claude]   | "xxxxxxxxxxxxxxxxxxxxxx..."',
    '[claude]   | ended                     x',
    '[claude] ERROR: no',
  ])
})

test('no escape sequence of the agent reaches the terminal, and nothing throws', () => {
  const evil = fc.oneof(
    fc.string({unit: 'binary'}),
    fc.constantFrom(
      '\u001b]0;pwned\u0007',
      '\u001b[2J',
      '\u009b31m',
      'a\rb',
      '\u202eevil',
      'x\ny\tz',
    ),
  )
  const event = fc.oneof(
    fc.record({
      type: fc.constantFrom('text', 'thinking', 'text-delta', 'thinking-delta'),
      text: evil,
    }),
    fc.record({
      type: fc.constant('tool-start'),
      toolId: fc.constantFrom('1', '2'),
      name: evil,
      tool: fc.constantFrom('Bash', 'Task', 'Mcp', 'Other', 'Edit'),
      input: fc.record({old_string: evil, new_string: evil}),
      summary: evil,
      parentToolId: fc.constantFrom(undefined, '1', '2'),
    }),
    fc.record({
      type: fc.constant('tool-end'),
      toolId: fc.constantFrom('1', '2', '3'),
      ok: fc.boolean(),
      output: evil,
      error: evil,
      exitCode: fc.constantFrom(undefined, 0, 1),
      durationMs: fc.constantFrom(undefined, 5, 5000),
    }),
    fc.record({
      type: fc.constant('session-start'),
      sessionId: evil,
      model: evil,
      cwd: evil,
      agentVersion: evil,
    }),
    fc.record({
      type: fc.constant('plan'),
      items: fc.array(fc.record({text: evil, status: fc.constant('pending')})),
    }),
    fc.record({type: fc.constant('task-start'), taskId: evil, description: evil}),
    fc.record({
      type: fc.constant('permission-request'),
      name: evil,
      input: fc.record({command: evil}),
    }),
    fc.record({
      type: fc.constant('status'),
      status: fc.constantFrom('warning', 'hook', 'api-retry'),
      detail: evil,
    }),
    fc.record({
      type: fc.constant('turn-end'),
      ok: fc.boolean(),
      text: evil,
      errors: fc.array(evil),
    }),
    fc.record({type: fc.constant('unknown'), raw: evil, reason: evil}),
    fc.record({type: fc.constant('file-change'), path: evil, action: fc.constant('created')}),
  )
  const options = fc.record({
    width: fc.constantFrom(undefined, 20, 60, 100),
    verbose: fc.constantFrom(0, 1, 2),
  })
  fc.assert(
    fc.property(fc.array(event), options, (events, how) => {
      const lines = format(events, how)
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
      for (const shown of lines) expect(shown).toMatch(/^\[(?:claude|vitrine)\] /)
    }),
    {numRuns: 1000},
  )
})

describe('the first line of a recorded run', () => {
  const session = {recording: '7f3a', budget: '$5.00'}
  const begin = {
    type: 'session-start',
    sessionId: 's',
    agentVersion: '2.1.325',
    model: 'claude-opus-5-5',
    cwd: '/src/ledger-api',
  }

  test('shows the recording and the budget', () => {
    const line = '[vitrine] claude 2.1.325 · opus-5-5 · ledger-api · recording 7f3a · budget $5.00'
    expect(format([begin], {session, width: 100})).toEqual([line])
    expect(format([begin], {session})).toEqual([line])
    expect(format([begin], {session, width: 60})).toEqual([
      '[vitrine] claude 2.1.325 · opus-5-5 · ledger-api · 7f3a',
    ])
    expect(format([begin], {session: {recording: '7f3a'}})).toEqual([
      '[vitrine] claude 2.1.325 · opus-5-5 · ledger-api · recording 7f3a',
    ])
  })

  test('has the version that the stream does not report', () => {
    const known = {recording: '7f3a', agentVersion: '1.2.3'}
    expect(format([text('Hello')], {session: known})[0]).toBe(
      '[vitrine] claude 1.2.3 · recording 7f3a',
    )
    expect(format([begin], {session: known})[0]).toContain('claude 2.1.325')
    expect(format([{...begin, agentVersion: undefined}], {session: known})[0]).toContain(
      'claude 1.2.3',
    )
  })

  test('is shown even if the stream does not start with a session', () => {
    expect(format([{type: 'usage'}, text('Hello'), begin], {session})).toEqual([
      '[vitrine] claude · recording 7f3a · budget $5.00',
      '[claude] "Hello"',
    ])
  })
})
