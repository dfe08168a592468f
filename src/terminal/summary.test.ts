import fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import type {RunResult} from '../core/run/run-result.ts'
import type {VerdictKind} from '../core/run/verdict.ts'
import {colored, plain} from './colors.ts'
import {formatSummary, formatSummaryLine} from './summary.ts'
import {ascii, unicode} from './symbols.ts'

const style = {colors: plain, symbols: unicode, width: 100, hasColor: true}
const narrow = {...style, width: 60}
const minutes = (count: number, seconds = 0) => (count * 60 + seconds) * 1000

const nothing: RunResult = {
  runId: '7f3a',
  dir: 'runs/7f3a',
  agent: 'claude',
  verdict: 'succeeded',
  reason: 'Last turn completed without errors',
  evidence: [],
  exitCode: 0,
  signal: null,
  startedAt: 0,
  durationMs: 0,
  costUsd: null,
  isEstimate: false,
  estimateUsd: null,
  tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
  turns: 0,
  toolCount: 0,
  failedToolCount: 0,
  deniedCount: 0,
  fileCount: 0,
  isWatched: true,
  added: 0,
  removed: 0,
  lines: 0,
  malformed: 0,
  unknown: 0,
  lastSeen: '',
  text: '',
}
const succeeded: RunResult = {
  ...nothing,
  durationMs: minutes(19, 30),
  costUsd: 1.52,
  estimateUsd: 1.5,
  turns: 2,
  toolCount: 38,
  failedToolCount: 2,
  fileCount: 4,
  added: 97,
  removed: 8,
}
const failed: RunResult = {
  ...nothing,
  verdict: 'failed',
  reason: 'API error 529',
  evidence: ['Overloaded', '10 of 10 tries used in 6m 12s'],
  exitCode: 1,
  durationMs: minutes(9, 28),
  costUsd: 0.34,
  turns: 1,
  fileCount: 3,
  added: 12,
  removed: 3,
}
const overBudget: RunResult = {
  ...nothing,
  verdict: 'over-budget',
  reason: '$5.01 of $5.00',
  exitCode: null,
  signal: 'SIGINT',
  ended: {signal: 'SIGINT', afterMs: 400, wasForced: false},
  durationMs: minutes(51, 8),
  costUsd: 5.01,
  turns: 31,
  fileCount: 6,
}
const truncated: RunResult = {
  ...nothing,
  verdict: 'truncated',
  reason: 'no turn end',
  evidence: ['output stops in the middle of line 212'],
  durationMs: minutes(6, 2),
}
const timedOut: RunResult = {
  ...nothing,
  verdict: 'timed-out',
  reason: '1h 00m of 1h 00m',
  exitCode: null,
  signal: 'SIGKILL',
  ended: {signal: 'SIGKILL', afterMs: 5000, wasForced: true},
  durationMs: minutes(60),
  costUsd: 0.92,
  lastSeen: 'Bash: node --heap-prof bench.js',
}
const stopped: RunResult = {
  ...nothing,
  verdict: 'stopped',
  reason: 'by you',
  exitCode: 130,
  ended: {signal: 'SIGINT', afterMs: 400, wasForced: false},
  durationMs: minutes(2, 11),
  costUsd: 0.03,
}
const stuck: RunResult = {
  ...timedOut,
  verdict: 'stuck',
  reason: 'silent for 10m 00s',
  lastSeen: 'Bash: npm test -- webhooks',
  durationMs: minutes(19, 43),
}

const hints = ['vitrine view 7f3a', 'vitrine serve → http://127.0.0.1:4310/runs/7f3a']

describe('the summary at 100 columns', () => {
  test('has this layout for a success', () => {
    expect(formatSummary(succeeded, {hints}, style)).toEqual([
      '────────────────────────────────────────────────────────────────────────────────────────────────────',
      '✓ Succeeded                                                                $1.52 · 2 turns · 19m 30s',
      '  4 files changed +97 −8, 38 tools, 2 failed along the way. Estimate was $1.50.',
      '  vitrine view 7f3a            vitrine serve → http://127.0.0.1:4310/runs/7f3a',
    ])
  })

  test('has this layout for a failure', () => {
    expect(formatSummary(failed, {isCommitted: false}, style)).toEqual([
      '────────────────────────────────────────────────────────────────────────────────────────────────────',
      '✗ Failed: API error 529                                                      $0.34 · 1 turn · 9m 28s',
      '  Overloaded; 10 of 10 tries used in 6m 12s. Agent exit code 1.',
      '  3 files changed and kept +12 −3, nothing committed.',
    ])
  })

  test.each([
    [
      overBudget,
      '✗ Over budget: $5.01 of $5.00                                                     31 turns · 51m 08s',
      '  Stopped politely (SIGINT, 0.4s). 6 files changed and kept.',
    ],
    [
      truncated,
      '✗ Truncated: no turn end                                                       cost unknown · 6m 02s',
      '  Exit 0, but output stops in the middle of line 212.',
    ],
    [
      timedOut,
      '✗ Timed out: 1h 00m of 1h 00m                                                         $0.92 · 1h 00m',
      '  Last seen: Bash: node --heap-prof bench.js. Killed after 5s.',
    ],
    [
      stopped,
      '■ Stopped by you                                                                      $0.03 · 2m 11s',
      '  The agent ended politely (SIGINT, 0.4s).',
    ],
    [
      stuck,
      '✗ Stuck: silent for 10m 00s                                                          $0.92 · 19m 43s',
      '  Last seen: Bash: npm test -- webhooks. Killed after 5s.',
    ],
  ])('has this layout for $verdict', (result, headline, detail) => {
    expect(formatSummary(result, {}, style).slice(1)).toEqual([headline, detail])
  })
})

describe('the summary at 60 columns', () => {
  test('has this layout for a success', () => {
    expect(formatSummary(succeeded, {hints}, narrow)).toEqual([
      '────────────────────────────────────────────────────────────',
      '✓ Succeeded                        $1.52 · 2 turns · 19m 30s',
      '  4 files +97 −8, 38 tools, 2 failed on the way',
      '  vitrine view 7f3a',
    ])
  })

  test('has this layout for a failure', () => {
    expect(formatSummary(failed, {isCommitted: false}, narrow)).toEqual([
      '────────────────────────────────────────────────────────────',
      '✗ Failed: API error 529              $0.34 · 1 turn · 9m 28s',
      '  10 of 10 tries used in 6m 12s. Agent exit code 1.',
      '  3 files changed and kept +12 −3',
    ])
  })

  test.each([
    [
      overBudget,
      '✗ Over budget: $5.01 of $5.00             31 turns · 51m 08s',
      '  Stopped politely (SIGINT, 0.4s). 6 files changed and kept.',
    ],
    [
      truncated,
      '✗ Truncated: no turn end               cost unknown · 6m 02s',
      '  Exit 0, but output stops in the middle of line 212.',
    ],
    [
      timedOut,
      '✗ Timed out: 1h 00m of 1h 00m                 $0.92 · 1h 00m',
      '  Last seen: Bash: node --heap-prof bench.js. Killed after …',
    ],
    [
      stopped,
      '■ Stopped by you                              $0.03 · 2m 11s',
      '  The agent ended politely (SIGINT, 0.4s).',
    ],
    [
      stuck,
      '✗ Stuck: silent for 10m 00s                  $0.92 · 19m 43s',
      '  Last seen: Bash: npm test -- webhooks. Killed after 5s.',
    ],
  ])('has this layout for $verdict', (result, headline, detail) => {
    expect(formatSummary(result, {}, narrow).slice(1)).toEqual([headline, detail])
  })
})

describe('the summary', () => {
  const lines = (result: RunResult, options = {}) =>
    formatSummary(result, options, {...style, width: 80}).slice(1)
  const line = (left: string, right: string) => left + right.padStart(80 - left.length)

  test('shows a run without tools', () => {
    expect(lines(nothing)).toEqual([
      line('✓ Succeeded', 'cost unknown · 0ms'),
      '  No files changed.',
    ])
  })

  test('shows that a lingering process was terminated', () => {
    const result = {
      ...succeeded,
      estimateUsd: 1.52,
      evidence: ['process stayed alive after its last turn'],
      ended: timedOut.ended,
    }
    expect(lines(result).slice(1)).toEqual([
      '  4 files changed +97 −8, 38 tools, 2 failed along the way.',
      '  Process stayed alive after its last turn. Killed after 5s.',
    ])
  })

  test('marks an estimated cost', () => {
    expect(lines({...stopped, isEstimate: true})[0]).toBe(
      line('■ Stopped by you', '≈$0.03 · 2m 11s'),
    )
  })

  test('shows the final cost of a run over budget, or its turns', () => {
    expect(lines({...overBudget, costUsd: 5.2, isEstimate: true}, {maxCostUsd: 5})[0]).toBe(
      line('✗ Over budget: ≈$5.20 of $5.00', '31 turns · 51m 08s'),
    )
    expect(
      lines({...overBudget, reason: '31 turns of 30', costUsd: 2.1, turns: 0}, {maxCostUsd: 5})[0],
    ).toBe(line('✗ Over budget: 31 turns of 30', '$2.10 · 51m 08s'))
  })

  test('shows ends that Vitrine did not cause', () => {
    expect(lines({...stopped, reason: 'interrupted (SIGINT)', ended: undefined})).toEqual([
      line('■ Stopped: interrupted (SIGINT)', '$0.03 · 2m 11s'),
    ])
    expect(
      lines({
        ...stopped,
        reason: '',
        ended: {...stopped.ended, signal: 'SIGKILL', afterMs: 5100, wasForced: true},
      }),
    ).toEqual([line('■ Stopped', '$0.03 · 2m 11s'), '  The agent was killed after 5s.'])
  })

  test('shows an exit code once', () => {
    const result = {
      ...failed,
      reason: 'exit code 1 after a turn without errors',
      evidence: [],
      fileCount: 0,
    }
    expect(lines(result)).toEqual([
      line('✗ Failed: exit code 1 after a turn without errors', '$0.34 · 1 turn · 9m 28s'),
    ])
    expect(lines({...truncated, evidence: [], lines: 212})[1]).toBe('  Exit 0 after 212 lines.')
    expect(lines({...truncated, exitCode: null})[1]).toBe(
      '  Output stops in the middle of line 212.',
    )
  })

  test('uses ASCII signs when asked to', () => {
    const at = {...style, symbols: ascii, width: 60}
    expect(formatSummary(failed, {}, at)).toEqual([
      '------------------------------------------------------------',
      'x Failed: API error 529              $0.34 - 1 turn - 9m 28s',
      '  10 of 10 tries used in 6m 12s. Agent exit code 1.',
      '  3 files changed and kept +12 -3',
    ])
    expect(formatSummary(succeeded, {}, at)[1]?.startsWith('+ Succeeded')).toBe(true)
    expect(formatSummary(stopped, {}, at)[1]?.startsWith('# Stopped by you')).toBe(true)
  })

  test('colours its parts', () => {
    expect(formatSummary(failed, {}, {...narrow, colors: colored}).slice(1)).toEqual([
      '\u001b[1;31m✗ Failed\u001b[0m: API error 529              \u001b[1m$0.34\u001b[0m\u001b[2m · \u001b[0m\u001b[2m1 turn\u001b[0m\u001b[2m · \u001b[0m\u001b[2m9m 28s\u001b[0m',
      '  10 of 10 tries used in 6m 12s. Agent exit code 1.',
      '  3 files changed and kept \u001b[32m+12\u001b[0m \u001b[31m−3\u001b[0m',
    ])
  })
})

describe('the summary on one line', () => {
  test.each([
    [succeeded, 'Succeeded: $1.52, 2 turns, 19m 30s, 4 files +97 -8'],
    [
      failed,
      'Failed: API error 529, 10 of 10 tries used in 6m 12s, $0.34, 1 turn, 9m 28s, 3 files +12 -3',
    ],
    [overBudget, 'Over budget: $5.01 of $5.00, 31 turns, 51m 08s, 6 files'],
    [{...overBudget, isEstimate: true}, 'Over budget: $5.01 of $5.00, 31 turns, 51m 08s, 6 files'],
    [
      truncated,
      'Truncated: no turn end, output stops in the middle of line 212, cost unknown, 6m 02s',
    ],
    [timedOut, 'Timed out: 1h 00m of 1h 00m, $0.92, 1h 00m'],
    [{...stopped, isEstimate: true}, 'Stopped by you, ≈$0.03, 2m 11s'],
    [stuck, 'Stuck: silent for 10m 00s, $0.92, 19m 43s'],
  ])('has this layout for $verdict', (result, line) => {
    expect(formatSummaryLine(result)).toBe(line)
  })
})

const verdicts: VerdictKind[] = [
  'succeeded',
  'failed',
  'stopped',
  'truncated',
  'timed-out',
  'over-budget',
  'stuck',
]
const nasty = fc.oneof(
  fc.string({unit: 'binary', maxLength: 80}),
  fc.string({unit: 'grapheme', maxLength: 80}),
  fc.constantFrom('玻璃'.repeat(30), 'e\u0301'.repeat(50), '\u001b[2J\r\n::error::x'),
)

test('no line is wider than the screen, whatever the agent prints', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...verdicts),
      fc.record({
        reason: nasty,
        evidence: fc.array(nasty, {maxLength: 3}),
        lastSeen: nasty,
        fileCount: fc.nat(),
        added: fc.nat(),
        costUsd: fc.option(fc.double({min: 0, max: 1e6, noNaN: true})),
      }),
      fc.integer({min: 1, max: 120}),
      fc.boolean(),
      (verdict, facts, width, isAscii) => {
        const result = {...succeeded, ...facts, verdict, ended: stopped.ended}
        const at = {...style, width, symbols: isAscii ? ascii : unicode}
        for (const line of formatSummary(result, {hints, maxCostUsd: 1}, at)) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/\p{Cc}/u)
        }
        expect(formatSummaryLine(result)).not.toMatch(/\p{Cc}/u)
      },
    ),
    {numRuns: 1000},
  )
})
