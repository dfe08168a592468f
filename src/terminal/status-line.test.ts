import fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {initialRunState, type RunState} from '../core/run/run-state.ts'
import type {Waiting, WaitingKind} from '../core/run/waiting.ts'
import {colored, plain} from './colors.ts'
import {formatStatus, type RunStatus} from './status-line.ts'
import {formatStuck} from './stuck.ts'
import {ascii, unicode} from './symbols.ts'

/** A clock that shows 14:28 when the run of the examples is 18m 42s old. */
const now = Date.UTC(2026, 10, 20, 14, 28)
const ago = (ms: number) => now - ms
const minutes = (count: number, seconds = 0) => (count * 60 + seconds) * 1000

const style = {colors: plain, symbols: unicode, width: 100, hasColor: true}
const narrow = {...style, width: 60}

const plan: RunState['plan'] = Array.from({length: 6}, (_, index) => ({
  text: `step ${index}`,
  status: index < 4 ? 'completed' : 'pending',
}))
const tool = (name: string, summary: string, startedAt: number, more = {}) => ({
  toolId: `${name} ${summary}`,
  name,
  tool: 'Bash' as const,
  summary,
  startedAt,
  ...more,
})
const edit = tool('Edit', 'tests/webhooks.test.ts', ago(200), {tool: 'Edit'})
const bash = tool('Bash', 'npm test', ago(minutes(1, 52)))

function status(waiting: Partial<Waiting> & {why: WaitingKind}, more: Partial<RunStatus> = {}) {
  const {state, ...rest} = more
  return {
    state: {...initialRunState, status: 'working' as const, turns: 2, plan, ...state},
    waiting: {detail: '', since: now, ...waiting},
    now,
    startedAt: ago(minutes(18, 42)),
    costUsd: 1.48,
    isEstimate: true,
    maxCostUsd: 5,
    ...rest,
  }
}
const withState = (state: Partial<RunState>) => ({
  state: {...initialRunState, turns: 2, plan, ...state},
})

const states: Record<string, RunStatus> = {
  edit: status(
    {why: 'waiting-for-tool', detail: 'Edit: tests/webhooks.test.ts', since: edit.startedAt},
    withState({openTools: [edit]}),
  ),
  thinking: status({why: 'thinking', since: ago(24_000)}),
  tool: status(
    {why: 'waiting-for-tool', detail: 'Bash: npm test', since: bash.startedAt},
    {...withState({openTools: [bash]}), usualMs: minutes(1, 20)},
  ),
  retry: status({
    why: 'api-retry',
    detail: 'overloaded (529)',
    attempt: 3,
    of: 10,
    until: now + 3600,
  }),
  limit: status({why: 'rate-limited', until: now + minutes(38)}),
  compacting: status({why: 'compacting', since: ago(9400)}),
  hook: status({why: 'hook', detail: 'Stop', since: ago(9400)}),
  scheduled: status({why: 'scheduled', detail: 'check the build', until: now + 52_000}),
  queued: status({why: 'queued-input', detail: '1 of 3 messages answered', since: ago(2000)}),
  finishing: status({why: 'finishing', detail: './report', since: ago(12_000)}),
  suspended: status({why: 'suspended', since: ago(12_000)}),
  lingering: status(
    {why: 'lingering', since: ago(6000)},
    {...withState({status: 'idle', turns: 2}), lingerMs: 10_000},
  ),
}
const rowOf = (name: string, at = style) =>
  formatStatus(states[name] ?? status({why: 'silent'}), at)[1]

describe('the status line', () => {
  test('has this layout at 100 columns', () => {
    expect(Object.keys(states).map((name) => rowOf(name))).toEqual([
      '● Edit: tests/webhooks.test.ts                         turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '● Thinking 24s                                         turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '● Bash: npm test 1m 52s, usually 1m 20s                turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '↻ API retry 3/10: overloaded (529), next in 4s         turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Rate-limited until 15:06, goes on by itself in 38m   turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Compacting 9s                                        turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Hook: Stop 9s                                        turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Wakes up in 52s: check the build                     turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ 1 of 3 messages answered 2s                          turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Finishing: ./report 12s                              turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Suspended (SIGSTOP) 12s                              turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '◔ Finished, process still alive 6s of 10s              turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
    ])
  })

  test('has this layout at 60 columns', () => {
    expect(Object.keys(states).map((name) => rowOf(name, narrow))).toEqual([
      '● Edit: tests/webhooks.test.ts        4/6 · ≈$1.48 · 18m 42s',
      '● Thinking 24s                        4/6 · ≈$1.48 · 18m 42s',
      '● Bash: npm test 1m 52s               4/6 · ≈$1.48 · 18m 42s',
      '↻ API retry 3/10, next in 4s          4/6 · ≈$1.48 · 18m 42s',
      '◔ Rate-limited until 15:06            4/6 · ≈$1.48 · 18m 42s',
      '◔ Compacting 9s                       4/6 · ≈$1.48 · 18m 42s',
      '◔ Hook: Stop 9s                       4/6 · ≈$1.48 · 18m 42s',
      '◔ Wakes up in 52s: check the build    4/6 · ≈$1.48 · 18m 42s',
      '◔ 1 of 3 messages answered 2s         4/6 · ≈$1.48 · 18m 42s',
      '◔ Finishing: ./report 12s             4/6 · ≈$1.48 · 18m 42s',
      '◔ Suspended (SIGSTOP) 12s             4/6 · ≈$1.48 · 18m 42s',
      '◔ Lingering 6s of 10s                 4/6 · ≈$1.48 · 18m 42s',
    ])
  })

  test('drops facts as the screen gets narrower', () => {
    expect([90, 80, 74, 52, 44, 30, 20].map((width) => rowOf('tool', {...style, width}))).toEqual([
      '● Bash: npm test 1m 52s, usually 1m 20s      turn 2 · plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '● Bash: npm test 1m 52s, usually 1m 20s     plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '● Bash: npm test 1m 52s               plan 4/6 · ≈$1.48 of $5.00 · 18m 42s',
      '● Bash: npm test 1m 52s       4/6 · ≈$1.48 · 18m 42s',
      '● Bash: npm test 1m 52s     ≈$1.48 · 18m 42s',
      '● Bash: npm t… 1m 52s  18m 42s',
      '● Bash: np…  18m 42s',
    ])
  })

  test('is below a rule', () => {
    expect(formatStatus(status({why: 'writing'}), narrow)[0]).toBe('─'.repeat(60))
  })
})

describe('the status line for other states', () => {
  const row = (waiting: Partial<Waiting> & {why: WaitingKind}, more: Partial<RunStatus> = {}) =>
    formatStatus(
      status(waiting, {costUsd: undefined, ...withState({turns: 0, plan: []}), ...more}),
      {
        ...style,
        width: 80,
      },
    )[1]
  const line = (left: string, right = '18m 42s') => left + right.padStart(80 - left.length)

  test('leaves out unknown facts', () => {
    expect(row({why: 'writing'})).toBe(line('● Writing'))
    expect(row({why: 'writing'}, {costUsd: 0.5, isEstimate: false, maxCostUsd: undefined})).toBe(
      line('● Writing', '$0.50 · 18m 42s'),
    )
  })

  test('shows a start whose time may be unknown', () => {
    const startedAt = ago(2000)
    expect(row({why: 'starting', since: 0}, {startedAt})).toBe(line('● Starting 2s', '2s'))
    expect(row({why: 'starting', since: now + 50}, {startedAt})).toBe(line('● Starting', '2s'))
  })

  test('shows for how long a run is silent', () => {
    expect(row({why: 'silent', since: ago(minutes(1, 20))})).toBe(line('◔ Silent 1m 20s'))
  })

  test('shows a background task', () => {
    const since = ago(minutes(1, 2))
    expect(row({why: 'background', detail: 'npm run build', since})).toBe(
      line('◔ Background: npm run build 1m 02s'),
    )
  })

  test('counts other tools, but not those that wait for another one', () => {
    const openTools = [
      tool('Task', 'Map', ago(9000), {toolId: 'task', tool: 'Task'}),
      bash,
      tool('Grep', 'x', now, {parentToolId: 'task'}),
      tool('Grep', 'y', now, {parentToolId: 'task'}),
    ]
    const waiting = {
      why: 'waiting-for-tool' as const,
      detail: 'Bash: npm test',
      since: bash.startedAt,
    }
    expect(row(waiting, withState({turns: 0, plan: [], openTools}))).toBe(
      line('● Bash: npm test 1m 52s +2'),
    )
  })

  test('names tools as their lines do', () => {
    const since = ago(5000)
    const query = tool('mcp__postgres__query', 'select 1', since, {tool: 'Mcp'})
    const shell = tool('command_execution', 'npm test', since)
    for (const [open, shown] of [
      [query, '● postgres.query: select 1 5s'],
      [shell, '● Bash: npm test 5s'],
    ] as const) {
      const detail = `${open.name}: ${open.summary}`
      const more = withState({turns: 0, plan: [], openTools: [open]})
      expect(row({why: 'waiting-for-tool', detail, since}, more)).toBe(line(shown))
    }
    expect(row({why: 'waiting-for-tool', detail: 'mcp__db__list', since})).toBe(
      line('● db.list 5s'),
    )
  })

  test('shows the number of tools of a sub-agent', () => {
    const task = tool('Task', 'Look around', ago(5000), {toolId: 't', tool: 'Task'})
    const subAgent = {toolId: 't', summary: '', startedAt: ago(5000), toolCount: 3}
    const more = withState({turns: 0, plan: [], openTools: [task], subAgents: [subAgent]})
    const waiting = {
      why: 'waiting-for-tool' as const,
      detail: 'Task: Look around',
      since: task.startedAt,
    }
    expect(row(waiting, more)).toBe(line('● Task: Look around 5s, 3 tools'))
  })

  test('keeps the duration of a long command', () => {
    const detail = `Bash: ${'npm test && '.repeat(20)}`
    expect(row({why: 'waiting-for-tool', detail, since: ago(minutes(1, 52))})).toBe(
      '● Bash: npm test && npm test && npm test && npm test && npm tes… 1m 52s  18m 42s',
    )
  })

  test('shows a retry without details', () => {
    expect(row({why: 'api-retry'})).toBe(line('↻ API retry'))
    expect(row({why: 'api-retry', attempt: 2, until: ago(1)})).toBe(line('↻ API retry 2'))
  })

  test('shows the remaining time of a limit that ends on another day', () => {
    const until = now + minutes(60 * 76)
    expect(row({why: 'rate-limited', until})).toBe(
      line('◔ Rate-limited, goes on by itself in 3d 4h'),
    )
    expect(row({why: 'rate-limited', since: ago(9000)})).toBe(line('◔ Rate-limited 9s'))
  })

  test('shows a permission request without a box', () => {
    const request = {name: 'Bash', input: {}, askedAt: ago(12_000)}
    const more = withState({turns: 0, plan: [], openRequests: [request]})
    const waiting = {why: 'waiting-for-permission' as const, detail: 'Bash', since: ago(12_000)}
    expect(row(waiting, more)).toBe(line(' NEEDS YOU  Bash, asked 12s ago'))
  })

  test('uses ASCII signs when asked to', () => {
    const at = {...style, symbols: ascii}
    expect(rowOf('retry', at)).toBe(
      '~ API retry 3/10: overloaded (529), next in 4s         turn 2 - plan 4/6 - ~$1.48 of $5.00 - 18m 42s',
    )
    expect(rowOf('limit', at)?.startsWith('o Rate-limited')).toBe(true)
    expect(formatStatus(status({why: 'writing'}), {...at, width: 20})).toEqual([
      '--------------------',
      '* Writing    18m 42s',
    ])
  })

  test('colours its parts', () => {
    const at = {...style, colors: colored, width: 30}
    const facts = '\u001b[2m18m 42s\u001b[0m'
    const waiting = {why: 'silent' as const, since: ago(minutes(1, 20))}
    const bare = {costUsd: undefined, ...withState({turns: 0, plan: []})}
    const shown = (each: RunStatus) => formatStatus(each, at)[1]
    expect(shown(status({why: 'writing'}, bare))).toBe(
      `\u001b[94m● Writing\u001b[0m              ${facts}`,
    )
    expect(shown(status(waiting, bare))).toBe(`\u001b[33m◔ Silent 1m 20s\u001b[0m        ${facts}`)
    expect(shown(status(waiting, {...bare, stuck: {facts: 'process alive'}}))).toBe(
      `\u001b[1;97;41m▲ Silent 1m 20s\u001b[0m        ${facts}`,
    )
    expect(shown(status({why: 'waiting-for-permission', detail: 'Bash'}, bare))).toBe(
      `\u001b[1;30;43m NEEDS YOU \u001b[0m Bash, 0s   ${facts}`,
    )
  })
})

describe('the status line of a stuck run', () => {
  const stuck = status(
    {why: 'silent', since: ago(minutes(11, 20))},
    {
      ...withState({turns: 0, plan: plan.with(3, {text: '', status: 'pending'})}),
      startedAt: ago(minutes(19, 43)),
      costUsd: 0.66,
      stuck: {facts: 'process alive, 0% CPU, no child'},
    },
  )
  const report = {
    reason: 'silent for 10m 00s',
    since: 'Bash: npm test -- webhooks ended',
    facts: 'process alive, 0% CPU, no child',
    details: 'process alive, 0% CPU, no child process, no open connection',
  }

  test('has this layout at 100 columns', () => {
    expect([...formatStuck(report, style), ...formatStatus(stuck, style)]).toEqual([
      '[vitrine] Stuck: silent for 10m 00s, since Bash: npm test -- webhooks ended',
      '[vitrine]   process alive, 0% CPU, no child process, no open connection',
      '[vitrine]   going on (--on-stuck warn); Ctrl-C to stop',
      '────────────────────────────────────────────────────────────────────────────────────────────────────',
      '▲ Silent 11m 20s, process alive, 0% CPU, no child               plan 3/6 · ≈$0.66 of $5.00 · 19m 43s',
    ])
  })

  test('has this layout at 60 columns', () => {
    expect([...formatStuck(report, narrow), ...formatStatus(stuck, narrow)]).toEqual([
      '[vitrine] Stuck: silent for 10m 00s',
      '[vitrine]   since Bash: npm test -- webhooks ended',
      '[vitrine]   process alive, 0% CPU, no child',
      '[vitrine]   going on; Ctrl-C to stop',
      '────────────────────────────────────────────────────────────',
      '▲ Silent 11m 20s                      3/6 · ≈$0.66 · 19m 43s',
    ])
  })

  test('has a word for it without colour', () => {
    expect(formatStatus(stuck, {...style, hasColor: false})[1]).toBe(
      '▲ STUCK: Silent 11m 20s, process alive, 0% CPU, no child        plan 3/6 · ≈$0.66 of $5.00 · 19m 43s',
    )
    expect(formatStatus(stuck, {...narrow, symbols: ascii, hasColor: false})[1]).toBe(
      '! STUCK: Silent 11m 20s               3/6 - ~$0.66 - 19m 43s',
    )
  })

  test('names the running tool', () => {
    const waiting = {
      why: 'waiting-for-tool' as const,
      detail: 'Bash: npm test',
      since: bash.startedAt,
    }
    expect(formatStatus(status(waiting, {...stuck, waiting}), style)[1]).toBe(
      '▲ Bash: npm test 1m 52s, process alive, 0% CPU, no child        plan 3/6 · ≈$0.66 of $5.00 · 19m 43s',
    )
  })

  test('shows fewer facts when fewer are known', () => {
    const pipe = {colors: plain, symbols: unicode}
    expect(
      formatStuck({reason: 'waiting for tool: Bash 31m 00s', facts: '', isStopping: true}, pipe),
    ).toEqual([
      '[vitrine] Stuck: waiting for tool: Bash 31m 00s',
      '[vitrine]   stopping it (--on-stuck stop)',
    ])
  })
})

const kinds: WaitingKind[] = [
  'starting',
  'writing',
  'thinking',
  'waiting-for-tool',
  'waiting-for-permission',
  'api-retry',
  'rate-limited',
  'compacting',
  'hook',
  'background',
  'scheduled',
  'queued-input',
  'finishing',
  'silent',
  'suspended',
  'lingering',
]
/** Text as hostile as it gets: controls, wide and combined characters. */
const nasty = fc.oneof(
  fc.string({unit: 'binary', maxLength: 80}),
  fc.string({unit: 'grapheme', maxLength: 80}),
  fc.constantFrom(
    '玻璃'.repeat(30),
    '👩‍👩‍👧‍👦'.repeat(20),
    'e\u0301'.repeat(50),
    '\u001b[2J\r\n::error::x',
    '\u200d',
  ),
)

test('no row is wider than the screen or has a line break, whatever the agent prints', () => {
  fc.assert(
    fc.property(
      fc.record({
        why: fc.constantFrom(...kinds),
        detail: nasty,
        since: fc.integer({min: 0, max: now + 1000}),
        until: fc.option(fc.integer({min: 0, max: now * 2}), {nil: undefined}),
        attempt: fc.option(fc.nat(), {nil: undefined}),
      }),
      fc.record({
        costUsd: fc.option(fc.double({min: 0, max: 1e6, noNaN: true}), {nil: undefined}),
        usualMs: fc.option(fc.nat(), {nil: undefined}),
        stuck: fc.option(fc.record({facts: nasty}), {nil: undefined}),
      }),
      fc.integer({min: 1, max: 120}),
      fc.boolean(),
      nasty,
      (waiting, more, width, isAscii, name) => {
        const open = tool(name, waiting.detail, waiting.since)
        const state = withState({openTools: [open, edit]})
        const detail =
          waiting.why === 'waiting-for-tool' ? `${name}: ${waiting.detail}` : waiting.detail
        const at = {...style, width, symbols: isAscii ? ascii : unicode, hasColor: !isAscii}
        const rows = formatStatus(status({...waiting, detail}, {...more, ...state}), at)
        expect(rows).toHaveLength(2)
        for (const row of rows) {
          expect(stringWidth(row)).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/\p{Cc}/u)
        }
      },
    ),
    {numRuns: 1000},
  )
})

test('a path in the working directory is relative', () => {
  const path = '/home/dev/project/tests/webhooks.test.ts'
  const open = tool('Edit', path, ago(200), {tool: 'Edit'})
  const waiting = {why: 'waiting-for-tool', detail: `Edit: ${path}`, since: open.startedAt} as const
  const state = withState({openTools: [open], cwd: '/home/dev/project'})
  expect(formatStatus(status(waiting, state), style)).toEqual(
    formatStatus(states['edit'] ?? status({why: 'writing'}), style),
  )
})
