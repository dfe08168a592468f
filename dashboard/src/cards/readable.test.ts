import {expect, it} from 'vitest'
import {makeReadable} from './readable.ts'

it('shows what hides, and keeps what scripts and emoji need', () => {
  expect(makeReadable('a\tb\nc')).toBe('a\tb\nc')
  expect(makeReadable('a\u202eb\u200bc\x1b')).toBe('a\\u202eb\\u200bc\\x1b')
  expect(makeReadable('\u{e0041}\ud800')).toBe('\\u{e0041}\\ud800')
  expect(makeReadable('👩‍👧 ❤️ e\u0301 می‌خواهم')).toBe('👩‍👧 ❤️ e\u0301 می‌خواهم')
  expect(makeReadable(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(8)}…b`)
  expect(makeReadable('a\r\nb\rc')).toBe('a\nb\\x0dc')
})
