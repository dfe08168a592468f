import {expect, test} from 'vitest'
import type {ModelRequest} from '../core/events/transcript.ts'
import {assignRequests} from './assign-requests.ts'
import {toRequestRows} from './request-columns.ts'

function request(key: string, output = 1, fields: Partial<ModelRequest> = {}): ModelRequest {
  const tokens = {input: 0, output, cacheRead: 0, cacheWrite: 0}
  return {key, at: output, tokens, toolCount: 0, ...fields}
}

function owner(startedAt: number, requests: ModelRequest[], endedAt = startedAt) {
  const transcripts = [{rows: toRequestRows(requests), isSubAgent: false}]
  return {agent: 'claude', startedAt, endedAt, transcripts}
}

/** The output of the requests of each owner. */
function outputsOf(...owners: ReturnType<typeof owner>[]): number[][] {
  return assignRequests(owners).map((list) => Array.from(list, ({tokens}) => tokens.output))
}

test('gives a request to the session that began first', () => {
  const copy = owner(2, [request('m1 r1', 1), request('m2 r2', 2)])
  const origin = owner(1, [request('m1 r1', 1)])
  expect(outputsOf(copy, origin)).toEqual([[2], [1]])
})

test('gives a request to the session that ended first when both began at the same time', () => {
  const rows = [request('m1 r1', 1)]
  const fork = owner(1, [...rows, request('m2 r2', 2)], 9)
  expect(outputsOf(fork, owner(1, rows, 5))).toEqual([[2], [1]])
})

test('keeps the time of the first copy and the tokens of the largest', () => {
  const origin = owner(1, [request('m1 r1', 3, {at: 5, toolCount: 2})])
  const copy = owner(2, [request('m1 r1', 7, {at: 8, toolCount: 1})])
  const [first] = assignRequests([origin, copy])
  expect([...(first ?? [])]).toMatchObject([{at: 5, toolCount: 2, tokens: {output: 7}}])
})

test('counts requests of several agents with the same key', () => {
  const other = {...owner(2, [request('m1 r1', 2)]), agent: 'codex'}
  expect(outputsOf(owner(1, [request('m1 r1', 1)]), other)).toEqual([[1], [2]])
})

test('counts a copy without the second part of its key once', () => {
  const origin = owner(1, [request('m1 r1', 1), request('m2 r2', 2)])
  const copy = owner(2, [request('m1 ', 1), request('m3 r3', 3), request('m4 ', 4)])
  const copyOfCopy = owner(3, [request('m4 r4', 4), request('m2 ', 2), request('m5 ', 5)])
  expect(outputsOf(origin, copy, copyOfCopy)).toEqual([[1, 2], [3, 4], [5]])
})

test('counts requests that differ only in the second part of their key', () => {
  const several = owner(1, [request('m1 r1', 1), request('m1 r2', 2), request('m2 ', 3)])
  expect(outputsOf(several)).toEqual([[1, 2, 3]])
})

test('orders requests by time and marks those of sub-agents', () => {
  const main = {rows: toRequestRows([request('m1 r1', 1), request('m3 r3', 3)]), isSubAgent: false}
  const sub = {rows: toRequestRows([request('m2 r2', 2)]), isSubAgent: true}
  const [list] = assignRequests([
    {agent: 'claude', startedAt: 1, endedAt: 1, transcripts: [main, sub]},
  ])
  expect(Array.from(list ?? [], ({at, isSubAgent}) => [at, isSubAgent])).toEqual([
    [1, undefined],
    [2, true],
    [3, undefined],
  ])
})
