import fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {initialRunState, type RunState} from '../core/run/run-state.ts'
import {colored, plain} from './colors.ts'
import {
  formatAnswer,
  formatPermission,
  type PermissionAnswer,
  type PermissionQuestion,
} from './permission-box.ts'
import {ascii, unicode} from './symbols.ts'

const style = {colors: plain, symbols: unicode, width: 100, hasColor: true}
const narrow = {...style, width: 60}

const now = 1_000_000_000
const plan: RunState['plan'] = Array.from({length: 6}, (_, index) => ({
  text: `step ${index}`,
  status: index < 2 ? 'completed' : 'pending',
}))
const status = {
  state: {...initialRunState, status: 'waiting' as const, plan},
  waiting: {why: 'waiting-for-permission' as const, detail: 'Bash', since: now - 12_000},
  now,
  startedAt: now - 343_000,
  costUsd: 0.56,
  isEstimate: true,
  maxCostUsd: 5,
}
const migrate: PermissionQuestion = {
  request: {
    name: 'Bash',
    input: {
      command: 'npm run migrate:dev',
      description: 'Applies pending migrations to the dev database.',
    },
    askedAt: now - 12_000,
  },
  rule: 'Bash(npm run migrate:*)',
  because: ['no rule covers it', 'it writes outside the working folder'],
  status,
}
const asked = (
  input: unknown,
  more: Partial<PermissionQuestion['request']> = {},
): PermissionQuestion => ({
  request: {name: 'Bash', input, askedAt: now, ...more},
  status,
})
/** The rows between the head and the keys. */
const body = (question: PermissionQuestion, at = narrow) =>
  formatPermission(question, at).slice(3, -2)

describe('the permission box', () => {
  test('has this layout at 100 columns', () => {
    expect(formatPermission(migrate, style)).toEqual([
      '────────────────────────────────────────────────────────────────────────────────────────────────────',
      ' NEEDS YOU  Bash, asked 12s ago                                  plan 2/6 · ≈$0.56 of $5.00 · 5m 43s',
      '',
      '  npm run migrate:dev',
      '',
      '  Applies pending migrations to the dev database.',
      '  Asked because no rule covers it and it writes outside the working folder.',
      '',
      '  [a] allow once  [A] allow "npm run migrate:*" for this run  [d] deny  [D] deny, say why  [x] stop',
    ])
  })

  test('has this layout at 60 columns', () => {
    expect(formatPermission(migrate, narrow)).toEqual([
      '────────────────────────────────────────────────────────────',
      ' NEEDS YOU  Bash, 12s                  2/6 · ≈$0.56 · 5m 43s',
      '',
      '  npm run migrate:dev',
      '',
      '  Applies pending migrations to the dev database.',
      '  Asked because no rule covers it.',
      '',
      '  [a] allow once',
      '  [A] allow "npm run migrate:*" for this run',
      '  [d] deny  [D] deny, say why  [x] stop',
    ])
  })

  test('marks its head without colour', () => {
    const at = {...narrow, symbols: ascii, hasColor: false}
    expect(formatPermission(migrate, at).slice(0, 2)).toEqual([
      '------------------------------------------------------------',
      '>> NEEDS YOU  Bash, 12s                2/6 - ~$0.56 - 5m 43s',
    ])
  })

  test('colours its parts', () => {
    const rows = formatPermission(asked({file_path: 'a', old_string: 'x', new_string: 'y'}), {
      ...narrow,
      colors: colored,
    })
    expect(rows[1]?.startsWith('\u001b[1;30;43m NEEDS YOU \u001b[0m Bash, 0s')).toBe(true)
    expect(rows.slice(4, 6)).toEqual(['  \u001b[31m-\u001b[0m x', '  \u001b[32m+\u001b[0m y'])
  })

  test('shows no rule when there is none, and the number of other requests', () => {
    const {rule: _, ...rest} = migrate
    const openRequests = [migrate.request, migrate.request, migrate.request]
    const rows = formatPermission(
      {...rest, status: {...status, state: {...status.state, openRequests}}},
      style,
    )
    expect(rows[1]).toMatch(/^ NEEDS YOU {2}Bash, asked 12s ago \+2 {2}/)
    expect(rows.at(-1)).toBe('  [a] allow once  [d] deny  [D] deny, say why  [x] stop')
  })
})

describe('the input in the permission box', () => {
  test('shows a command in full, with continuation rows indented', () => {
    expect(body(asked({command: `echo ${'x'.repeat(60)}\n\necho two`}))).toEqual([
      `  echo ${'x'.repeat(51)}`,
      `    ${'x'.repeat(9)}`,
      '',
      '  echo two',
    ])
  })

  test('shows 20 rows of a long command and the number of further rows', () => {
    const command = Array.from({length: 32}, (_, index) => `echo ${index}`).join('\n')
    const rows = body(asked({command}))
    expect(rows).toHaveLength(21)
    expect(rows.slice(-2)).toEqual(['  echo 19', '  … 12 more lines'])
    expect(body({...asked({command}), maxInputRows: 3}).slice(-2)).toEqual([
      '  echo 2',
      '  … 29 more lines',
    ])
  })

  test('shows the number of further characters of a long line', () => {
    const rows = body(asked({command: 'x'.repeat(5_000_000)}))
    expect(rows).toHaveLength(21)
    expect(rows.at(-1)).toBe('  … 4,998,880 more characters')
  })

  test('shows the other fields of a command', () => {
    expect(
      body(
        asked({
          command: 'ls',
          description: 'Lists',
          timeout: 5,
          dangerouslyDisableSandbox: true,
          x: null,
        }),
      ),
    ).toEqual([
      '  ls',
      '  timeout: 5',
      '  dangerouslyDisableSandbox: true',
      '  x: null',
      '',
      '  Lists',
    ])
  })

  test('shows the removed and added lines of a change', () => {
    const input = {
      file_path: 'src/a.ts',
      old_string: 'one\ntwo',
      new_string: 'three',
      replace_all: true,
    }
    expect(body(asked(input, {name: 'Edit'}))).toEqual([
      '  src/a.ts',
      '  replace_all: true',
      '  - one',
      '  - two',
      '  + three',
    ])
  })

  test('shows several changes', () => {
    const edits = [
      {old_string: 'a', new_string: 'b'},
      {old_string: 'c', new_string: ''},
    ]
    expect(body(asked({file_path: 'src/a.ts', edits}, {name: 'MultiEdit'}))).toEqual([
      '  src/a.ts',
      '  - a',
      '  + b',
      '  - c',
      '  + ',
    ])
  })

  test('shows a new file', () => {
    expect(
      body(asked({file_path: 'a.txt', content: 'one\n\ntwo\n', mode: '0777'}, {name: 'Write'})),
    ).toEqual(['  a.txt', '  + one', '  + ', '  + two', '  mode: "0777"'])
  })

  test.each([
    [
      {title: 'x\ny', body: ['z']},
      ['  {', '    "title": "x\\ny",', '    "body": [', '      "z"', '    ]', '  }'],
    ],
    [
      {file_path: 'a', edits: [{odd: 1}]},
      [
        '  {',
        '    "file_path": "a",',
        '    "edits": [',
        '      {',
        '        "odd": 1',
        '      }',
        '    ]',
        '  }',
      ],
    ],
    ['just text', ['  just text']],
    [undefined, ['']],
  ])('shows other input as JSON: %j', (input, rows) => {
    expect(body(asked(input, {name: 'mcp__tracker__create'}))).toEqual(rows)
  })

  test("shows the agent's reason once", () => {
    const input = {command: 'ls', description: 'Lists files'}
    expect(body(asked(input, {reason: 'Lists files'}))).toEqual(['  ls', '', '  Lists files'])
    expect(
      body(
        asked(input, {reason: 'outside of the folders that are allowed, as far as can be told'}),
      ),
    ).toEqual([
      '  ls',
      '',
      '  Lists files',
      '  outside of the folders that are allowed, as far as can be',
      '  told',
    ])
  })
})

const answer: PermissionAnswer = {
  agent: 'claude',
  who: 'you',
  allowed: true,
  name: 'Bash',
  input: {command: 'npm run migrate:dev'},
  scope: 'run',
  waitedMs: 61_000,
}
const answers: PermissionAnswer[] = [
  answer,
  {
    ...answer,
    who: 'rule',
    allowed: false,
    rule: 'Bash(git push*)',
    input: {command: 'git push'},
    waitedMs: 0,
  },
  {...answer, who: 'dashboard', scope: 'once', waitedMs: 8000},
]

describe('the line for an answer', () => {
  test('has this layout at 100 columns', () => {
    expect(answers.map((each) => formatAnswer(each, style))).toEqual([
      '[claude] Allowed by you: npm run migrate:dev                             for this run  waited 1m 01s',
      '[claude] Denied by rule Bash(git push*): git push',
      '[claude] Allowed from the dashboard: npm run migrate:dev                             once  waited 8s',
    ])
  })

  test('has this layout at 60 columns', () => {
    expect(answers.map((each) => formatAnswer(each, narrow))).toEqual([
      '[claude] Allowed by you: npm run migrate:dev   waited 1m 01s',
      '[claude] Denied by rule Bash(git push*): git push',
      '[claude] Allowed from the dashboard: npm run mig…  waited 8s',
    ])
  })

  test('reports a timeout', () => {
    const late: PermissionAnswer = {...answer, who: 'timeout', allowed: false, waitedMs: 60_000}
    expect(formatAnswer(late, style)).toBe('[claude] Denied: no answer in 60s: npm run migrate:dev')
    expect(formatAnswer({...late, waitedMs: 300_000}, style)).toBe(
      '[claude] Denied: no answer in 5m 00s: npm run migrate:dev',
    )
  })

  test('names the tool, and is not aligned without a screen', () => {
    const pipe = {colors: plain, symbols: unicode}
    expect(formatAnswer({...answer, name: 'Edit', input: {file_path: 'src/a.ts'}}, pipe)).toBe(
      '[claude] Allowed by you: Edit: src/a.ts  for this run  waited 1m 01s',
    )
    expect(formatAnswer({...answer, allowed: false}, pipe)).toBe(
      '[claude] Denied by you: npm run migrate:dev  waited 1m 01s',
    )
  })

  test('shows the answers to a question of the agent', () => {
    const input = {
      questions: [{question: 'Which database?', header: 'Database'}, {question: 'Why?'}],
    }
    const question = {...answer, name: 'AskUserQuestion', input, scope: 'once' as const}
    const given = [['SQLite'], ['It is small.']]
    const at = {colors: plain, symbols: unicode}
    expect(formatAnswer({...question, answers: given}, at)).toBe(
      '[claude] Answered by you: Database: SQLite; Why?: It is small.  waited 1m 01s',
    )
    expect(formatAnswer({...question, allowed: false}, at)).toBe(
      '[claude] Not answered by you: Which database? Why?  waited 1m 01s',
    )
    expect(formatAnswer({...question, allowed: false, who: 'mode'}, at)).toBe(
      '[claude] Not answered, only --permissions ask asks the user: Which database? Why?',
    )
  })

  test('colours its parts', () => {
    expect(
      formatAnswer({...answer, who: 'rule', allowed: false}, {colors: colored, symbols: unicode}),
    ).toBe('\u001b[2m[claude]\u001b[0m \u001b[1;31mDenied by rule\u001b[0m: npm run migrate:dev')
  })
})

const nasty = fc.oneof(
  fc.string({unit: 'binary', maxLength: 200}),
  fc.string({unit: 'grapheme', maxLength: 200}),
  fc.constantFrom(
    '玻璃'.repeat(60),
    '👩‍👩‍👧‍👦'.repeat(40),
    'e\u0301'.repeat(200),
    '\u001b[2J\r\n::error::x\u202e',
  ),
)

test('no row is wider than the screen or has control characters, whatever the agent asks', () => {
  const inputs = fc.oneof(
    nasty,
    fc.record({command: nasty, description: nasty}),
    fc.record({file_path: nasty, old_string: nasty, new_string: nasty}),
    fc.record({file_path: nasty, content: nasty}),
    fc.dictionary(nasty, fc.jsonValue()),
  )
  fc.assert(
    fc.property(
      inputs,
      nasty,
      nasty,
      fc.integer({min: 20, max: 120}),
      (input, name, text, width) => {
        const question = {
          ...asked(input, {name, reason: text}),
          rule: `${name}(${text})`,
          because: [text],
        }
        for (const row of formatPermission(question, {...style, width})) {
          expect(stringWidth(row)).toBeLessThanOrEqual(width)
          expect(row).not.toMatch(/[\p{Cc}\u202e]/u)
        }
        const line = formatAnswer(
          {...answer, name, input, who: 'rule', rule: text},
          {...style, width},
        )
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
      },
    ),
    {numRuns: 300},
  )
})
