import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {VerdictKind} from '../../../src/core/run/verdict.ts'
import type {WaitingKind} from '../../../src/core/run/waiting.ts'
import {makeRun} from '../../test/make-run.ts'
import {describeState, endedBadly, needsAnswer, needsAttention} from './state.ts'

describe('the word for a state', () => {
  test.each<[string, Partial<RunSummary>, string]>([
    ['is being written', {state: 'working'}, 'run live Live'],
    ['waits for a retry', {waiting: {why: 'api-retry', detail: '', since: 0}}, 'run live Live'],
    ['waits for a prompt', {state: 'idle'}, 'idle clock Idle'],
    ['asks for permission', {requests: [{name: 'Bash', askedAt: 0}]}, 'you hand Needs you'],
    ['has ended', {state: 'over'}, 'idle text Ended'],
    ['has ended with an error', {state: 'over', verdict: 'failed'}, 'idle text Ended'],
  ])('is not a verdict for a session that %s', (_, fields, text) => {
    const session = makeRun({kind: 'session', ...fields})
    const {tone, icon, word} = describeState(session)
    expect(`${tone} ${icon} ${word}`).toBe(text)
    expect(endedBadly(session)).toBe(false)
  })

  test.each<[WaitingKind, string]>([
    ['starting', 'run live Starting'],
    ['writing', 'run live Working'],
    ['thinking', 'run live Working'],
    ['waiting-for-tool', 'run live Working'],
    ['waiting-for-permission', 'you hand Needs you'],
    ['api-retry', 'wait retry Retrying'],
    ['rate-limited', 'wait gauge Rate-limited'],
    ['compacting', 'wait compact Compacting'],
    ['background', 'run live Working'],
    ['hook', 'run live Working'],
    ['scheduled', 'wait hourglass Scheduled'],
    ['queued-input', 'run live Working'],
    ['finishing', 'run live Working'],
    ['suspended', 'wait hourglass Suspended'],
    ['silent', 'run live Working'],
    ['lingering', 'wait hourglass Lingering'],
    ['idle', 'idle hourglass Idle'],
  ])('has a tone and an icon for the wait %s', (why, text) => {
    const {tone, icon, word} = describeState(makeRun({waiting: {why, detail: '', since: 0}}))
    expect(`${tone} ${icon} ${word}`).toBe(text)
  })

  test.each<[VerdictKind, string, boolean]>([
    ['succeeded', 'ok ok Succeeded', false],
    ['failed', 'bad fail Failed', true],
    ['stopped', 'idle stop Stopped', false],
    ['truncated', 'bad cutoff Truncated', true],
    ['timed-out', 'bad timeout Timed out', true],
    ['over-budget', 'bad budget Over budget', true],
    ['stuck', 'bad stuck Stuck', true],
  ])('has a tone and an icon for the verdict %s', (verdict, text, isBad) => {
    const run = makeRun({state: 'over', verdict})
    const {tone, icon, word} = describeState(run)
    expect(`${tone} ${icon} ${word}`).toBe(text)
    expect(endedBadly(run)).toBe(isBad)
    expect(needsAttention(run)).toBe(false)
  })

  test('is solid for a stuck run in every waiting state', () => {
    const run = makeRun({isStuck: true, waiting: {why: 'waiting-for-tool', detail: '', since: 0}})
    expect(describeState(run)).toEqual({tone: 'stuck', icon: 'stuck', word: 'Stuck'})
    expect(needsAttention(run)).toBe(true)
    expect(needsAnswer(run)).toBe(false)
  })

  test('prefers Needs you to Stuck', () => {
    const run = makeRun({isStuck: true, requests: [{requestId: 'a', name: 'Bash', askedAt: 0}]})
    expect(describeState(run).word).toBe('Needs you')
    expect(needsAnswer(run)).toBe(true)
  })

  test('is known before the first event', () => {
    expect(describeState(makeRun({state: 'starting'})).word).toBe('Starting')
    expect(describeState(makeRun()).word).toBe('Working')
    expect(describeState(makeRun({state: 'over'})).word).toBe('Ended')
  })
})
