import {expect, test} from 'vitest'
import {hideRequests, hideRequestsInUpdate} from './hide-requests.ts'

const asking = {
  runId: 'a',
  title: 'Say "requests":[]',
  waiting: {why: 'waiting-for-permission', detail: 'Bash', since: 1},
  requests: [{requestId: 'r', name: 'Bash', askedAt: 1}],
}
const hidden = {
  ...asking,
  waiting: {why: 'waiting-for-permission', detail: '', since: 1},
  requests: [],
}

test('removes open requests and the tool that a run waits for from its summary', () => {
  expect(JSON.parse(hideRequests(JSON.stringify(asking)))).toEqual(hidden)
  expect(JSON.parse(hideRequests(JSON.stringify({...asking, requests: []})))).toEqual(hidden)
  const message = {type: 'run_updated', run: asking}
  expect(JSON.parse(hideRequestsInUpdate(JSON.stringify(message)))).toEqual({
    type: 'run_updated',
    run: hidden,
  })
})

test('leaves a summary without requests unchanged', () => {
  const json = JSON.stringify({
    runId: 'a',
    waiting: {why: 'waiting-for-tool', detail: 'Bash: ls', since: 1},
    requests: [],
  })
  expect(hideRequests(json)).toBe(json)
  expect(hideRequestsInUpdate(`{"run":${json}}`)).toBe(`{"run":${json}}`)
})
