import {afterEach, beforeEach, expect, test} from 'vitest'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, until, type Place} from '../support/run.ts'

let place: Place
let hub: RunningHub

beforeEach(async () => {
  place = createPlace()
  hub = await startHub(place)
})

afterEach(async () => {
  await hub.stop()
  await place.clear()
})

test('every payload that a hook posts is told, not only the first', async () => {
  const session = '0123abcd-0000-4000-8000-000000000000'
  const post = async (name: string, fields: object = {}) => {
    const body = JSON.stringify({session_id: session, cwd: '/p', hook_event_name: name, ...fields})
    const headers = {authorization: `Bearer ${hub.token}`, 'content-type': 'application/json'}
    const response = await fetch(`${hub.url}/api/hooks`, {method: 'POST', headers, body})
    expect(response.status).toBe(202)
  }
  const events = async () => {
    const {runs} = (await hub.json('/api/runs')) as {runs: {runId: string}[]}
    if (runs[0] === undefined) return []
    const response = await hub.get(`/api/runs/${runs[0].runId}/events`)
    if (!response.ok) return []
    const {events: found} = (await response.json()) as {events: {type: string}[]}
    return found.map(({type}) => type)
  }
  await post('SessionStart', {source: 'startup'})
  await until(async () => (await events()).length > 0)
  await post('UserPromptSubmit', {prompt: 'Fix it'})
  const tool = {tool_name: 'Bash', tool_input: {command: 'ls'}, tool_use_id: 't1'}
  await post('PreToolUse', tool)
  await until(async () => (await events()).includes('agent_tool_call'))
  await post('SessionEnd', {reason: 'other'})
  await until(async () => (await events()).includes('run_ended'))
})
