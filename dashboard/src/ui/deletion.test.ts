import {expect, test} from 'vitest'
import {makeRun} from '../../test/make-run.ts'
import {describeDeletion} from './deletion.ts'

const HOUR = 3_600_000

test.each([
  [80, 'Deleted by Claude Code in 3 d'],
  [5, 'Deleted by Claude Code in 5 h 00 m'],
  [-1, 'Deleted by Claude Code soon'],
  [24 * 8, undefined],
])('describes the deletion of a session in %d hours', (hours, words) => {
  const session = makeRun({kind: 'session', agent: 'claude', deletedAt: hours * HOUR})
  expect(describeDeletion(session, 0)).toBe(words)
})
