import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import {
  acceptsRun,
  isEmptyFilter,
  parseListFilter,
  toEntryQuery,
  toRunFilter,
} from './list-filter.ts'

const NOW = Date.UTC(2026, 10, 16, 14, 0)
const DAY = 24 * 3_600_000

const parse = (query: string) => parseListFilter(new URLSearchParams(query))

describe('the filter in the URL', () => {
  test('is empty without fields, and when its values are unknown', () => {
    expect(isEmptyFilter(parse(''))).toBe(true)
    expect(isEmptyFilter(parse('q=words&kind=other&state=over&date=yesterday'))).toBe(true)
    expect(toRunFilter(parse('q=words'), NOW)).toBe(undefined)
  })

  test('becomes a query for the hub', () => {
    const query = toEntryQuery(parse('agent=codex&project=/home/dev/app&kind=session'), NOW)
    expect(query).toEqual({agent: 'codex', project: '/home/dev/app', kind: 'session'})
    expect(toEntryQuery(parse('state=needs-you'), NOW)).toEqual({state: 'live'})
    expect(toEntryQuery(parse('state=failed'), NOW)).toEqual({state: 'failed'})
  })

  test.each([
    ['today', '2026-11-16', undefined],
    ['7d', '2026-11-10', undefined],
    ['30d', '2026-10-18', undefined],
    ['2026-11-01..2026-11-03', '2026-11-01', '2026-11-03'],
    ['..2026-11-03', undefined, '2026-11-03'],
  ])('names the days of %s', (date, since, until) => {
    const query = toEntryQuery(parse(`date=${date}`), NOW)
    expect([query.since, query.until, query.timezone]).toEqual([since, until, 'UTC'])
  })

  test.each<[string, Partial<RunSummary>, boolean]>([
    ['agent=codex', {agent: 'codex'}, true],
    ['agent=codex', {agent: 'claude'}, false],
    ['project=/home/dev/app', {cwd: '/home/dev/app'}, true],
    ['project=app', {cwd: '/home/dev/app'}, true],
    ['project=/home/dev/app', {cwd: '/home/dev/app-2'}, false],
    ['kind=session', {kind: 'session'}, true],
    ['kind=session', {}, false],
    ['date=today', {startedAt: NOW - 1000}, true],
    ['date=today', {startedAt: NOW - DAY}, false],
    ['date=..2026-11-15', {startedAt: NOW - DAY}, true],
    ['state=live', {}, true],
    ['state=live', {state: 'over'}, false],
    ['state=needs-you', {isStuck: true}, true],
    ['state=needs-you', {}, false],
    ['state=failed', {state: 'over', verdict: 'truncated'}, true],
    ['state=failed', {state: 'over', verdict: 'stopped'}, false],
  ])('%s accepts a run with %j: %s', (query, fields, isAccepted) => {
    expect(acceptsRun(parse(query), makeRun({startedAt: NOW, ...fields}), NOW)).toBe(isAccepted)
  })
})
