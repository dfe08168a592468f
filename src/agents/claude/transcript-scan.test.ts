import {expect, test} from 'vitest'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import {claudeTranscripts} from './transcript.ts'

const SOURCE = {
  path: 'project/fork.jsonl',
  file: {storage: 'lines', sessionId: 'fork'} as const,
  readText: () => undefined,
  listFiles: () => [],
  query: () => [],
}

function answer(id: string, timestamp: string, fields: object = {}) {
  const usage = {input_tokens: 1, output_tokens: 2}
  const message = {id, type: 'message', role: 'assistant', model: 'claude-opus-5-5', usage}
  return {type: 'assistant', cwd: '/home/dev', timestamp, message, ...fields}
}

/** The facts of rows, of which the scanner gets the text too. */
function scan(...rows: object[]): TranscriptFacts {
  const facts = createFacts()
  const scanner = claudeTranscripts.createScanner(facts, SOURCE)
  for (const row of rows) {
    if (scanner.readLine?.(JSON.stringify(row)) !== true) scanner.read({...row})
  }
  return facts
}

test('a fork starts with its first own row', () => {
  const forkedFrom = {sessionId: 'origin', messageUuid: 'u'}
  const facts = scan(
    answer('m1', '2026-11-20T00:59:00.000Z', {requestId: 'r1', forkedFrom}),
    answer('m2', '2026-11-20T00:59:10.000Z', {requestId: 'r2'}),
  )
  expect(facts).toMatchObject({
    forkedFrom: 'origin',
    startedAt: Date.parse('2026-11-20T00:59:10.000Z'),
    requests: [{key: 'm1 r1'}, {key: 'm2 r2'}],
  })
})

test('a copied answer without a request id has a key without its second part', () => {
  const {requests} = scan(answer('m1', '2026-11-20T00:59:00.000Z'))
  expect(requests).toMatchObject([{key: 'm1 '}])
})
