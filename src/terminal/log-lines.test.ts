import {expect, test} from 'vitest'
import {initialRunState} from '../core/run/run-state.ts'
import type {WaitingKind} from '../core/run/waiting.ts'
import {colored, plain} from './colors.ts'
import {formatHeartbeat, formatStderr} from './log-lines.ts'
import {ascii, unicode} from './symbols.ts'

const now = Date.UTC(2026, 10, 20, 14, 28)
const since = now - 60_000

test.each<[WaitingKind, string, object, string]>([
  ['starting', '', {}, 'starting 1m 00s'],
  ['writing', '', {}, 'writing 1m 00s'],
  ['thinking', '', {}, 'thinking 1m 00s'],
  ['waiting-for-tool', 'Bash: npm test', {}, 'waiting for tool: Bash 1m 00s'],
  ['waiting-for-tool', 'mcp__db__query: select 1', {}, 'waiting for tool: db.query 1m 00s'],
  ['waiting-for-permission', 'Bash', {}, 'waiting for permission: Bash 1m 00s'],
  [
    'api-retry',
    'overloaded (529)',
    {attempt: 3, of: 10},
    'API retry 3/10: overloaded (529) 1m 00s',
  ],
  ['api-retry', '', {}, 'API retry 1m 00s'],
  ['rate-limited', 'x', {until: now + 38 * 60_000}, 'rate-limited until 15:06'],
  ['rate-limited', 'x', {}, 'rate-limited 1m 00s'],
  ['compacting', '', {}, 'compacting 1m 00s'],
  ['background', 'npm run build', {}, 'background: npm run build 1m 00s'],
  ['hook', 'Stop', {}, 'hook: Stop 1m 00s'],
  [
    'scheduled',
    'check the build',
    {until: now + 38 * 60_000},
    'waiting for a wake-up at 15:06: check the build',
  ],
  ['scheduled', '', {}, 'waiting for a wake-up 1m 00s'],
  [
    'queued-input',
    '1 of 3 messages answered',
    {},
    'waiting for answers to stdin: 1 of 3 messages answered 1m 00s',
  ],
  ['finishing', './report', {}, 'finishing: ./report 1m 00s'],
  ['suspended', '', {}, 'suspended (SIGSTOP) 1m 00s'],
  ['silent', '', {}, 'silent 1m 00s'],
  ['lingering', '', {}, 'finished, process still alive 1m 00s'],
])('the heartbeat describes the state %s', (why, detail, more, line) => {
  expect(formatHeartbeat({why, detail, since, ...more}, now)).toBe(`[vitrine] ${line}`)
})

test('the heartbeat has no duration before the first event', () => {
  expect(formatHeartbeat({why: 'starting', detail: '', since: 0}, now)).toBe('[vitrine] starting')
})

test('the heartbeat has our name for a known tool', () => {
  const tool = {name: 'command_execution', tool: 'Bash' as const, summary: 'ls'}
  const openTools = [{...tool, toolId: '1', startedAt: since}]
  const waiting = {why: 'waiting-for-tool' as const, detail: 'command_execution: ls', since}
  expect(formatHeartbeat(waiting, now, {...initialRunState, openTools})).toBe(
    '[vitrine] waiting for tool: Bash 1m 00s',
  )
})

test('formatStderr marks a line on stderr', () => {
  expect(formatStderr('codex', 'warning: \u001b[31mred\u001b[0m\r\n')).toBe(
    '[codex] stderr: warning: \\x1b[31mred\\x1b[0m',
  )
  expect(formatStderr('codex', 'x'.repeat(50), {colors: plain, symbols: ascii, width: 30})).toBe(
    '[codex] stderr: xxxxxxxxxxx...',
  )
  expect(formatStderr('codex', 'x', {colors: colored, symbols: unicode})).toBe(
    '\u001b[2m[codex] stderr:\u001b[0m x',
  )
})
