import {expect, test} from 'vitest'
import {plain} from './colors.ts'
import {formatChecks, type Check} from './doctor.ts'
import {ascii, unicode} from './symbols.ts'

const CHECKS: Check[] = [
  {name: 'Version', state: 'pass', text: 'vitrine 0.9.0, Node 22.11, Linux x64'},
  {group: 'Agents', name: 'claude 2.1.325', state: 'pass', text: '1,316 sessions'},
  {
    group: 'Agents',
    name: 'opencode 1.4.2',
    state: 'warning',
    text: '86 sessions, 1 unknown record type',
    fix: 'Run: vitrine drift',
  },
  {
    group: 'Agents',
    name: 'gemini 0.61.0',
    state: 'fail',
    text: '~/.gemini/tmp: permission denied',
    fix: 'Run: chmod u+rx ~/.gemini/tmp',
  },
  {group: 'Agents', name: 'qwen', state: 'none', text: 'not installed'},
]

test('prints checks by group; a remedy that does not fit gets a line of its own', () => {
  expect(formatChecks(CHECKS, {colors: plain, symbols: unicode, width: 80})).toBe(`\
✓ Version         vitrine 0.9.0, Node 22.11, Linux x64

Agents
✓ claude 2.1.325  1,316 sessions
▲ opencode 1.4.2  86 sessions, 1 unknown record type. Run: vitrine drift
✗ gemini 0.61.0   ~/.gemini/tmp: permission denied
                  Run: chmod u+rx ~/.gemini/tmp
– qwen            not installed

4 checks: 2 passed, 1 warning, 1 failed
`)
})

test('cuts texts but never remedies, and has signs in ASCII', () => {
  const [, , , check] = CHECKS
  const text = formatChecks(check === undefined ? [] : [check], {
    colors: plain,
    symbols: ascii,
    width: 40,
  })
  expect(text).toContain('x gemini 0.61.0   ~/.gemini/tmp: permis…\n')
  expect(text).toContain('                  Run: chmod u+rx ~/.gemini/tmp\n')
})
