import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {readStderr} from './stderr.ts'

test('reads every attempt of a failing request', () => {
  const stderr = readFileSync(new URL('fixtures/0.61.0/error_500.stderr', import.meta.url), 'utf8')
  const found = stderr.split('\n').flatMap((line) => readStderr(line) ?? [])
  expect(found.map(({attempt}) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(found[0]).toEqual({status: 'api-retry', detail: 'HTTP 500', attempt: 1})
})

test.each([
  [
    'Attempt 2 failed: quota exceeded. Please wait. Retrying after 5100ms...',
    {status: 'api-retry', detail: 'quota exceeded. Please wait', attempt: 2, delayMs: 5100},
  ],
  [
    'Attempt 1 failed. Retrying with backoff... Error: fetch failed',
    {status: 'api-retry', detail: 'request failed', attempt: 1},
  ],
  ['Attempt 10 failed: internal error. Max attempts reached', undefined],
  ['    at async retryWithBackoff (file:///x.js:1:1)', undefined],
])('reads the line %j', (line, status) => {
  expect(readStderr(line)).toEqual(status)
})
