import {expect, test} from 'vitest'
import {colored, plain} from './colors.ts'
import {formatSearchResults, type ShownResult} from './search-results.ts'
import {textWidth} from './text-width.ts'
import {ascii, unicode} from './symbols.ts'

const style = {colors: plain, symbols: unicode, width: 80, hasColor: false}

const refunds: ShownResult = {
  id: '7f3a',
  agent: 'claude',
  title: 'Make the refund webhook idempotent',
  project: 'ledger-api',
  when: 'today 14:02',
  moments: [
    {offsetMs: 0, word: 'prompt', text: 'Make the refund webhook idempotent.', marks: [[24, 34]]},
    {
      offsetMs: 271_000,
      word: 'reply',
      text: 'Both call createRefund(), so the key belongs in there, and not at the edge.',
      marks: [[10, 22]],
    },
    {offsetMs: 3_752_000, word: 'edit', text: 'createRefund', marks: [[0, 12]]},
  ],
  more: 1209,
}
const gateway: ShownResult = {
  id: 's3f0',
  agent: 'codex',
  title: 'Duplicate refunds after the gateway restart',
  project: 'gateway',
  when: '3 Nov 10:15',
  moments: [{offsetMs: 108_000, word: 'think', text: 'not idempotent', marks: [[4, 14]]}],
  more: 0,
}

test('aligns runs and sessions, and their matches below', () => {
  expect(formatSearchResults([refunds, gateway], style)).toEqual([
    '7f3a  claude  Make the refund webhook idempotent         ledger-api  today 14:02',
    '    0:00  prompt  Make the refund webhook idempotent.',
    '    4:31  reply   Both call createRefund(), so the key belongs in there, and no…',
    ' 1:02:32  edit    createRefund',
    '          1,209 more',
    's3f0  codex   Duplicate refunds after the gateway restart   gateway  3 Nov 10:15',
    '    1:48  think   not idempotent',
  ])
})

test('marks matches in bold and underlined', () => {
  const lines = formatSearchResults([gateway], {...style, colors: colored, hasColor: true})
  expect(lines[1]).toBe('\u001b[2m    1:48  think   \u001b[0mnot \u001b[1;4midempotent\u001b[0m')
})

test('shows the first match on a narrow terminal', () => {
  const text = `${'before '.repeat(6)}match after`
  const moment = {offsetMs: 0, word: 'reply', text, marks: [[42, 47]] as const}
  const lines = formatSearchResults([{...gateway, moments: [moment]}], {...style, width: 40})
  expect(lines[1]).toBe('    0:00  reply   match after')
})

test('no line is wider than the terminal or has control characters', () => {
  const nasty = '\u001b[31m日本語\nテキスト\u202e mcp__server__tool '
  const moment = {offsetMs: 1e9, word: nasty, text: nasty.repeat(9), marks: [[5, 9]] as const}
  const result: ShownResult = {
    id: nasty,
    agent: nasty,
    title: nasty,
    project: nasty,
    when: '12 Nov 10:15',
    moments: [moment],
    more: 1,
  }
  for (const symbols of [unicode, ascii]) {
    for (const width of [20, 40, 80, 200]) {
      for (const line of formatSearchResults([result, gateway], {...style, symbols, width})) {
        expect(textWidth(line)).toBeLessThanOrEqual(width)
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u)
      }
    }
  }
})
