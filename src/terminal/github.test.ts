import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import {createActionsFormatter, type ActionsOptions} from './github.ts'
import {formatStepSummary} from './step-summary.ts'

const result: RunResult = {
  runId: '7f3a',
  dir: 'runs/7f3a',
  agent: 'claude',
  verdict: 'succeeded',
  reason: 'Last turn completed without errors',
  evidence: [],
  exitCode: 0,
  signal: null,
  startedAt: 0,
  durationMs: 1_170_000,
  costUsd: 1.52,
  isEstimate: false,
  estimateUsd: 1.5,
  tokens: {input: 9800, output: 31_600, cacheRead: 1_500_000, cacheWrite: 140_000},
  turns: 2,
  toolCount: 38,
  failedToolCount: 2,
  deniedCount: 0,
  fileCount: 4,
  isWatched: true,
  added: 97,
  removed: 8,
  lines: 900,
  malformed: 0,
  unknown: 0,
  lastSeen: 'Bash: npm test',
  text: 'done',
}
const failed: RunResult = {
  ...result,
  verdict: 'failed',
  reason: 'API error 529',
  evidence: ['10 of 10 tries used'],
  exitCode: 1,
  costUsd: 0.34,
  turns: 1,
}

const start = (toolId: string, name: string, summary: string) => ({
  type: 'tool-start',
  toolId,
  name,
  tool: name,
  input: {},
  summary,
})
const end = (toolId: string, more = {}) => ({
  type: 'tool-end',
  toolId,
  ok: true,
  output: '',
  outputLength: 0,
  ...more,
})
const text = (content: string) => ({type: 'text', text: content})

function run(
  events: Record<string, unknown>[],
  how: RunResult,
  options: ActionsOptions = {},
): string[] {
  const formatter = createActionsFormatter(options)
  const lines = events.map((event, index) =>
    formatter.format({line: index + 1, at: 0, agent: 'claude', ...event} as AgentEvent),
  )
  return (lines.join('') + formatter.end(how)).split('\n').slice(0, -1)
}

describe('the log of a job', () => {
  test('has a group for each turn', () => {
    const events = [
      start('1', 'Read', 'src/webhooks/handler.ts'),
      end('1'),
      {type: 'task-start', taskId: 'a', description: 'npm run watch'},
      start('2', 'Bash', 'npm test -- webhooks'),
      end('2', {
        ok: false,
        exitCode: 1,
        durationMs: 82_000,
        error: 'AssertionError: expected 2 to be 1',
      }),
      {type: 'turn-end', ok: true, text: '', costUsd: 1.12, durationMs: 760_000},
      start('3', 'Bash', 'npm test'),
      end('3', {durationMs: 118_000}),
      {type: 'task-end', taskId: 'a', description: 'npm run watch'},
      {type: 'text-delta', text: 'Done.'},
      {type: 'turn-end', ok: true, text: '', costUsd: 1.52},
    ]
    expect(run(events, result)).toEqual([
      '::group::Result 1',
      '[claude] Read: src/webhooks/handler.ts',
      '[claude] Background: npm run watch',
      '[claude] Bash: npm test -- webhooks',
      '[claude] ERROR: exit 1 after 1m 22s: AssertionError: expected 2 to be 1',
      '[claude] Result 1: $1.12, 12m 40s, 1 task in the background',
      '::endgroup::',
      '::group::Result 2',
      '[claude] Bash: npm test',
      '[claude]   -> ok, 1m 58s',
      '[claude] Background ended: npm run watch',
      '[claude] "Done."',
      '::endgroup::',
      '[claude] Complete (cost: $1.5200)',
      '::notice title=Vitrine::Succeeded: $1.52, 2 turns, 19m 30s, 4 files +97 -8',
    ])
  })

  test('shows below the group why a turn failed', () => {
    const events = [
      {type: 'session-start', sessionId: 's', agentVersion: '2.1.325'},
      start('1', 'Bash', 'npm test'),
      end('1'),
      {
        type: 'turn-end',
        ok: false,
        text: '',
        errors: ['API Error: 529 Overloaded.'],
        costUsd: 0.34,
      },
      {type: 'status', status: 'warning', detail: 'late news'},
    ]
    expect(run(events, failed, {session: {recording: '7f3a'}})).toEqual([
      '[vitrine] claude 2.1.325 · recording 7f3a',
      '::group::Result 1',
      '[claude] Bash: npm test',
      '::endgroup::',
      '[claude] ERROR: API Error: 529 Overloaded.',
      '[claude] Failed (cost: $0.3400)',
      '[claude] Warning: late news',
      '[vitrine] 10 of 10 tries used. Agent exit code 1.',
      '::error title=Vitrine::Failed: API error 529, 10 of 10 tries used',
    ])
  })

  test('shows below the group the last activity of a run without an end', () => {
    const how: RunResult = {
      ...failed,
      verdict: 'timed-out',
      reason: '1h 00m of 1h 00m',
      evidence: [],
      exitCode: null,
      ended: {signal: 'SIGKILL', afterMs: 5000, wasForced: true},
    }
    expect(
      run([text('Hello'), start('1', 'Bash', 'npm test')], how, {session: {recording: '7f3a'}}),
    ).toEqual([
      '[vitrine] claude · recording 7f3a',
      '::group::Result 1',
      '[claude] "Hello"',
      '[claude] Bash: npm test',
      '::endgroup::',
      '[vitrine] Last seen: Bash: npm test. Killed after 5s.',
      '::error title=Vitrine::Timed out: 1h 00m of 1h 00m',
    ])
  })

  test('has no group for a run without events', () => {
    expect(run([], {...failed, exitCode: null, evidence: []})).toEqual([
      '::error title=Vitrine::Failed: API error 529',
    ])
  })

  test('escapes the text of a command', () => {
    const how = {...failed, reason: '100%0A::notice::x, y: z', evidence: []}
    expect(run([], how).at(-1)).toBe('::error title=Vitrine::Failed: 100%250A::notice::x, y: z')
  })

  test('does not let text of the agent be a command', () => {
    const lines = run(
      [text('##[error]x'), text('::error::x'), {type: 'text', text: 'a ##[add-mask]b ##[group]c'}],
      {...failed, reason: '##[error]x', evidence: ['##[stop-commands]x']},
    )
    expect(lines).toEqual([
      '::group::Result 1',
      String.raw`[claude] "#\x23[error]x"`,
      '[claude] "::error::x"',
      String.raw`[claude] "a #\x23[add-mask]b #\x23[group]c"`,
      '::endgroup::',
      String.raw`[vitrine] #\x23[stop-commands]x. Agent exit code 1.`,
      String.raw`::error title=Vitrine::Failed: #\x23[error]x, #\x23[stop-commands]x`,
    ])
  })

  test.each([
    ['::error::x', ': :error::x'],
    ['  ::error::x', '  : :error::x'],
    ['\u200b:\u200b:set-env name=x::y', '\u200b:\u200b :set-env name=x::y'],
    ['a ::error::x', 'a ::error::x'],
    ['a\n::error::x', 'a\\x0a::error::x'],
    ['#\u200b#[error]x', '#\u200b\\x23[error]x'],
  ])('does not let other output be a command: %j', (line, shown) => {
    expect(createActionsFormatter().formatLine(line)).toBe(`${shown}\n`)
  })

  /** How a runner finds a command in a line. */
  const isCommand = (line: string) =>
    line.trimStart().startsWith('::') || /##(?:vso|teamcity)?\[/.test(line)

  test('does not let any text be a command', () => {
    const evil = fc.oneof(
      fc.string(),
      fc
        .array(
          fc.constantFrom(
            '::',
            '##[',
            '##vso[',
            'vso',
            'teamcity[',
            'error',
            ']',
            '\n',
            '\r',
            ' ',
            '%0A',
            '#',
            ':',
            '[',
            '\u2028',
          ),
        )
        .map((parts) => parts.join('')),
    )
    const events = fc.array(
      fc.oneof(
        fc.record({type: fc.constantFrom('text', 'text-delta', 'thinking'), text: evil}),
        fc.record({
          type: fc.constant('tool-start'),
          toolId: fc.constant('1'),
          name: evil,
          tool: fc.constant('Other'),
          input: fc.constant({}),
          summary: evil,
        }),
        fc.record({
          type: fc.constant('tool-end'),
          toolId: fc.constant('1'),
          ok: fc.boolean(),
          output: evil,
          error: evil,
        }),
        fc.record({
          type: fc.constant('turn-end'),
          ok: fc.boolean(),
          text: evil,
          errors: fc.array(evil),
        }),
      ),
    )
    fc.assert(
      fc.property(events, evil, (list, reason) => {
        const lines = run(list, {...failed, reason, evidence: [reason]}, {verbose: 1})
        const commands = lines.filter(isCommand)
        for (const command of commands.slice(0, -1)) {
          expect(command).toMatch(/^::(?:group::Result \d+|endgroup::)$/)
        }
        expect(commands.at(-1)).toMatch(/^::error title=Vitrine::Failed/)
        const groups = commands.filter((command) => command.startsWith('::group'))
        expect(commands).toHaveLength(groups.length * 2 + 1)
      }),
      {numRuns: 500},
    )
  })
})

describe('the summary page of a job', () => {
  test('shows a run that succeeded', () => {
    expect(formatStepSummary(result)).toBe(`### ✓ Succeeded · $1.52 · 19m 30s
| turns | tools | failed | files | tokens in / out / cached |
|---|---|---|---|---|
| 2 | 38 | 2 | 4 (+97 −8) | 9.8k / 31.6k / 1.64M |
`)
  })

  test('shows a run that failed, with a table of tools', () => {
    const formatter = createActionsFormatter()
    const events = [
      start('1', 'Read', 'a'),
      end('1', {durationMs: 40}),
      {...start('2', 'mcp__db|x__query', 'b'), tool: 'Mcp'},
      {...end('2', {ok: false}), at: 2000},
      start('3', 'Read', 'c'),
      end('3', {durationMs: 60, ok: false, unfinished: true}),
      end('4'),
    ]
    for (const [line, event] of events.entries()) {
      formatter.format({line, at: 0, agent: 'claude', ...event} as AgentEvent)
    }
    const how = {
      ...failed,
      reason: '<img src=x> ![a](https://x) | *b*',
      fileCount: 0,
      added: 0,
      removed: 0,
    }
    expect(formatter.summarize(how))
      .toBe(`### ✗ Failed: \\<img src=x\\> \\!\\[a\\](https:\\/\\/x) \\| \\*b\\* · $0.34 · 19m 30s
10 of 10 tries used. Agent exit code 1.

| turns | tools | failed | files | tokens in / out / cached |
|---|---|---|---|---|
| 1 | 38 | 2 | 0 | 9.8k / 31.6k / 1.64M |

| tool | calls | failed | time |
|---|---|---|---|
| db\\|x.query | 1 | 1 | 2.0s |
| Read | 2 | 0 | 100ms |
`)
  })

  test('shows a run with few known facts', () => {
    const tokens = {input: 812, output: 0, cacheRead: 0, cacheWrite: 0}
    const how = {...failed, costUsd: null, tokens, evidence: [], exitCode: null}
    expect(formatStepSummary(how).split('\n').slice(0, 4)).toEqual([
      '### ✗ Failed: API error 529 · cost unknown · 19m 30s',
      '| turns | tools | failed | files | tokens in / out / cached |',
      '|---|---|---|---|---|',
      '| 1 | 38 | 2 | 4 (+97 −8) | 812 / 0 / 0 |',
    ])
  })
})
