import {readFileSync, writeFileSync} from 'node:fs'
import {afterAll, describe, expect, test} from 'vitest'
import {
  createHome,
  readTruth,
  removeHome,
  scanHome,
  translateSession,
  type ScannedSession,
} from '../../../test/support/transcripts.ts'
import {sumRequests} from '../../history/sessions.ts'
import {pathOf} from '../../history/transcripts.ts'
import {copilotTranscripts} from './transcript.ts'

const home = createHome('copilot')
const sessions = scanHome(copilotTranscripts, home)
const {total, sessions: truths} = readTruth('copilot')

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

describe.each(truths.map((truth) => [truth.sessionIds[0] ?? '', truth] as const))(
  'session %s',
  (id, truth) => {
    test('has the requests and tool calls of the truth', () => {
      const session = sessionOf(id)
      const {reasoning = 0, ...tokens} = sumRequests(session.requests)
      expect({...tokens, reasoning}).toEqual(truth.totals)
      expect(session.requests.length).toBe(truth.requests.length)
      expect(session.requests.reduce((sum, {toolCount}) => sum + toolCount, 0)).toBe(
        truth.toolCalls,
      )
      expect(session.forkedFrom).toBe(truth.forkedFrom)
    })

    test('has the events of the truth, and no unknown records', () => {
      const {events, drift} = translateSession(sessionOf(id))
      const ends = events.flatMap((event) =>
        event.type === 'tool-end' && !event.ok ? [event] : [],
      )
      expect(drift).toEqual([])
      expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
      expect(events.filter(({type}) => type === 'tool-start').length).toBe(truth.toolCalls)
      expect(ends.filter(({unfinished}) => unfinished !== true).length).toBe(truth.toolFailures)
      expect(ends.filter(({unfinished}) => unfinished === true).length).toBe(truth.toolsUnfinished)
    })
  },
)

describe('damaged files', () => {
  /** The sessions after every line of all plain files was replaced. */
  function scanChanged(
    change: (line: string, index: number, lines: string[]) => string,
  ): ScannedSession[] {
    const copy = createHome('copilot')
    try {
      for (const {transcript} of scanHome(copilotTranscripts, copy).flatMap(
        (item) => item.transcripts,
      )) {
        if (transcript.file.compression !== undefined) continue
        const lines = readFileSync(pathOf(transcript), 'utf8').trimEnd().split('\n')
        writeFileSync(pathOf(transcript), `${lines.map(change).join('\n')}\n`)
      }
      const changed = scanHome(copilotTranscripts, copy)
      for (const session of changed) translateSession(session)
      return changed
    } finally {
      removeHome(copy)
    }
  }

  const sumOf = (changed: readonly ScannedSession[]) =>
    sumRequests(changed.flatMap(({requests}) => requests))
  const callsOf = (changed: readonly ScannedSession[]) =>
    changed.flatMap(({requests}) => requests).reduce((sum, {toolCount}) => sum + toolCount, 0)

  test('count every request once when all lines are doubled', () => {
    const changed = scanChanged((line) => `${line}\n${line}`)
    expect(sumOf(changed)).toEqual(total.totals)
    expect(callsOf(changed)).toBe(callsOf(sessions))
  })

  test('count no request twice when neighbouring lines are swapped', () => {
    const changed = scanChanged((line, index, lines) => lines[index ^ 1] ?? line)
    expect(sumOf(changed)).toEqual(total.totals)
  })

  test.each(['null', '"x"', '-1', '[{}]', '{"type":{}}'])(
    'have no negative counts when fields are %s',
    (value) => {
      const changed = scanChanged((line, index) => {
        let field = 0
        return line.replaceAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|-?\d+|null)/g, (text) =>
          field++ % 7 === index % 7 ? value : text,
        )
      })
      for (const {tokens, toolCount} of changed.flatMap(({requests}) => requests)) {
        const {reasoning = 0, ...counts} = tokens
        expect(Math.min(toolCount, reasoning, ...Object.values(counts))).toBeGreaterThanOrEqual(0)
      }
    },
  )
})
