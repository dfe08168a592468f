import {afterAll, expect, test} from 'vitest'
import {
  createHome,
  readTruth,
  removeHome,
  scanHome,
  translateSession,
  type ScannedSession,
} from '../../../test/support/transcripts.ts'
import {sumRequests} from '../../history/sessions.ts'
import {claudeTranscripts} from './transcript.ts'

const home = createHome('claude')
const sessions = scanHome(claudeTranscripts, home)
const {total, sessions: truths} = readTruth('claude')

afterAll(() => removeHome(home))

function sessionOf(id: string): ScannedSession {
  const found = sessions.find(({sessionId}) => sessionId === id)
  if (found === undefined) throw new Error(`no session ${id}`)
  return found
}

test('counts the requests of all sessions once', () => {
  const requests = sessions.flatMap((session) => session.requests)
  expect(sessions.length).toBe(total.sessions)
  expect(requests.length).toBe(total.requests)
  expect(sumRequests(requests)).toEqual(total.totals)
})

const named = truths.map((truth) => [truth.sessionIds[0] ?? '', truth] as const)
/** A fork shows the calls of its origin too. */
const origins = named.filter(([, {forkedFrom}]) => forkedFrom === undefined)

test.each(named)('session %s has the tokens and tool calls of the truth', (id, truth) => {
  const {requests} = sessionOf(id)
  expect({reasoning: 0, ...sumRequests(requests)}).toEqual(truth.totals)
  expect(requests.reduce((sum, {toolCount}) => sum + toolCount, 0)).toBe(truth.toolCalls)
})

test.each(named)('session %s has no unknown records', (id) => {
  const {events, drift} = translateSession(sessionOf(id))
  expect(drift).toEqual([])
  expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
})

test.each(origins)('session %s has the calls and failures of the truth', (id, truth) => {
  const {events} = translateSession(sessionOf(id))
  const ends = events.flatMap((event) => (event.type === 'tool-end' && !event.ok ? [event] : []))
  const unfinished = ends.filter((event) => event.unfinished === true)
  expect(events.filter(({type}) => type === 'tool-start').length).toBe(truth.toolCalls)
  expect(ends.length - unfinished.length).toBe(truth.toolFailures)
  expect(unfinished.length).toBe(truth.toolsUnfinished)
})
