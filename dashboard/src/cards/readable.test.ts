import {expect, it} from 'vitest'
import {escapeControlsMultiline} from './readable.ts'

it('escapes invisible characters, and keeps those of scripts and emoji', () => {
  expect(escapeControlsMultiline('a\tb\nc')).toBe('a\tb\nc')
  expect(escapeControlsMultiline('a\u202eb\u200bc\x1b')).toBe('a\\u202eb\\u200bc\\x1b')
  expect(escapeControlsMultiline('\u{e0041}\ud800')).toBe('\\u{e0041}\\ud800')
  expect(escapeControlsMultiline('👩‍👧 ❤️ e\u0301 می‌خواهم')).toBe('👩‍👧 ❤️ e\u0301 می‌خواهم')
  expect(escapeControlsMultiline(`a${'\u0301'.repeat(50)}b`)).toBe(`a${'\u0301'.repeat(8)}…b`)
  expect(escapeControlsMultiline('a\r\nb\rc')).toBe('a\nb\\x0dc')
})
