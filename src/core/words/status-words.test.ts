import {expect, test} from 'vitest'
import {describeStatus, type StatusNotice} from './status-words.ts'

type Status = Parameters<typeof describeStatus>[0]

test.each<[Omit<Status, 'at'>, StatusNotice]>([
  [
    {status: 'api-retry', detail: 'overloaded (529)', attempt: 3, of: 10},
    {kind: 'api-retry', text: 'overloaded (529)', isWait: true},
  ],
  [
    {status: 'rate-limit', detail: 'used up', until: 2000, isBlocking: true},
    {kind: 'rate-limited', text: 'used up', isWait: true},
  ],
  [
    {status: 'rate-limit', detail: 'used up', until: 500, isBlocking: true},
    {kind: 'rate-limited', text: 'used up', isWait: false},
  ],
  [
    {status: 'rate-limit', detail: '85% used', until: 2000, isBlocking: false, usedShare: 0.85},
    {kind: 'usage-limit', text: '85% used', isWait: false},
  ],
  [
    {status: 'compacting', phase: 'start', detail: 'compacting'},
    {kind: 'compacting', text: '', isWait: true},
  ],
  [
    {status: 'compacting', phase: 'start', detail: 'compacting: overflow'},
    {kind: 'compacting', text: 'overflow', isWait: true},
  ],
  [
    {status: 'compacting', phase: 'end', detail: 'compacted, auto, 9 to 3 tokens'},
    {kind: 'compacted', text: 'auto, 9 to 3 tokens', isWait: false},
  ],
  [
    {status: 'compacting', phase: 'end', detail: 'Compact task completed'},
    {kind: 'compacted', text: 'Compact task completed', isWait: false},
  ],
  [
    {status: 'hook', phase: 'end', detail: 'Stop success', ok: true},
    {kind: 'hook', text: 'Stop success', isWait: false},
  ],
  [
    {status: 'hook', phase: 'end', detail: 'Stop error', ok: false},
    {kind: 'hook-failed', text: 'Stop error', isWait: false},
  ],
  [
    {status: 'wake-up', phase: 'start', detail: 'check the build', until: 2000},
    {kind: 'wake-up', text: 'check the build', isWait: false},
  ],
  [
    {status: 'model-fallback', detail: 'Sonnet'},
    {kind: 'model-fallback', text: 'Sonnet', isWait: false},
  ],
  [
    {status: 'warning', detail: 'careful'},
    {kind: 'warning', text: 'careful', isWait: false},
  ],
  [
    {status: 'interrupted', detail: ''},
    {kind: 'interrupted', text: '', isWait: false},
  ],
  [
    {status: 'notice', detail: 'hi'},
    {kind: 'note', text: 'hi', isWait: false},
  ],
])('the status %j leads to a notice', (status, notice) => {
  expect(describeStatus({at: 1000, ...status})).toEqual(notice)
})

test.each<Omit<Status, 'at'>>([
  {status: 'hook', phase: 'start', detail: 'Stop'},
  {status: 'wake-up', phase: 'end', detail: 'check the build'},
  {status: 'working', detail: ''},
])('the status %j leads to no notice', (status) => {
  expect(describeStatus({at: 1000, ...status})).toBe(undefined)
})
