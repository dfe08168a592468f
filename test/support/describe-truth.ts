import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {Tokens} from '../../src/core/events/events.ts'
import type {TranscriptFormat} from '../../src/core/events/transcript.ts'
import {addTokens, NO_TOKENS} from '../../src/core/run/ledger.ts'
import {sumRequests} from '../../src/history/sessions.ts'
import {
  createHome,
  readTruth,
  removeHome,
  scanHome,
  translateSession,
  type ScannedSession,
  type TrueTokens,
  type Truth,
} from './transcripts.ts'

/** The differences between agents. */
interface TruthOptions {
  /** The folder of the sessions and their truth. @defaultValue the id of the agent */
  folder?: string
  /** Whether the agent records how many tokens were reasoning. @defaultValue true */
  hasReasoning?: boolean
  /** Whether a fork has the id of its origin. @defaultValue true */
  hasForkedFrom?: boolean
  /** Whether a fork has the events of its origin too. @defaultValue true */
  hasOriginEvents?: boolean
}

/** A request as the model server logged it. */
type TrueRequest = Truth['requests'][number] & {model: string; for: string}

/** Registers tests that compare the sessions of an agent with the log of the model server. */
export function describeTruth(format: TranscriptFormat, options: TruthOptions = {}): void {
  const {
    folder = format.agent,
    hasReasoning = true,
    hasForkedFrom = true,
    hasOriginEvents = true,
  } = options
  const {total, sessions: truths} = readTruth(folder)

  describe(`the sessions in ${folder}`, () => {
    let home: string
    let sessions: ScannedSession[]

    beforeAll(() => {
      home = createHome(folder)
      sessions = scanHome(format, home)
    })

    afterAll(() => removeHome(home))

    test('are complete and count each request once', () => {
      const requests = sessions.flatMap((session) => session.requests)
      const ids = sessions.map(({sessionId}) => sessionId)
      expect(ids.toSorted()).toEqual(truths.map(idOf).toSorted())
      expect(sessions.length).toBe(total.sessions)
      expect(requests.length).toBe(total.requests)
      expect(sumRequests(requests)).toEqual(selectRecorded(total.totals))
    })

    describe.each(truths.map((truth) => [idOf(truth), truth] as const))(
      'session %s',
      (id, truth) => {
        test('has the requests, the folder and the model of the truth', () => {
          const {requests, forkedFrom, cwd, model} = findSession(id)
          const trueRequests = truth.requests as TrueRequest[]
          const lastOfMain = trueRequests.findLast((request) => request.for === 'main')
          const recorded = requests.map((request) =>
            formatRequest(request.model, completeReasoning(request.tokens)),
          )
          const expected = trueRequests.map((request) =>
            formatRequest(request.model, selectRecorded(request)),
          )
          expect(requests.length).toBe(truth.requests.length)
          expect(recorded.toSorted()).toEqual(expected.toSorted())
          expect(completeReasoning(sumRequests(requests))).toEqual(selectRecorded(truth.totals))
          expect(requests.reduce((sum, {toolCount}) => sum + toolCount, 0)).toBe(truth.toolCalls)
          expect(forkedFrom).toBe(hasForkedFrom ? truth.forkedFrom : undefined)
          expect(cwd).toBe(truth.cwd)
          // A session without requests may have the model that the user selected.
          expect(model).toBe(lastOfMain?.model ?? model)
        })

        test('has the events of the truth, and no unknown records', () => {
          const {events, drift} = translateSession(findSession(id))
          const starts = events.filter(({type}) => type === 'tool-start')
          const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []))
          const failed = ends.filter(({ok}) => !ok)
          const unfinished = failed.filter((event) => event.unfinished === true)
          const usage = events.flatMap((event) => (event.type === 'usage' ? [event.tokens] : []))
          const expected = listWithOrigins(truth)
          expect(drift).toEqual([])
          expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
          expect(starts.length).toBe(sumOf(expected, 'toolCalls'))
          expect(ends.length).toBe(starts.length)
          expect(failed.length - unfinished.length).toBe(sumOf(expected, 'toolFailures'))
          expect(unfinished.length).toBe(sumOf(expected, 'toolsUnfinished'))
          expect(usage.length).toBe(expected.flatMap(({requests}) => requests).length)
          expect(completeReasoning(usage.reduce(addTokens, NO_TOKENS))).toEqual(
            expected.map(({totals}) => selectRecorded(totals)).reduce(addTokens),
          )
        })
      },
    )

    function findSession(id: string): ScannedSession {
      const found = sessions.find(({sessionId}) => sessionId === id)
      if (found === undefined) throw new Error(`no session ${id}`)
      return found
    }
  })

  /** The truth of a session, and of the origins whose events it has too. */
  function listWithOrigins(truth: Truth): Truth[] {
    if (truth.forkedFrom === undefined || !hasOriginEvents) return [truth]
    const origin = truths.find((other) => idOf(other) === truth.forkedFrom)
    if (origin === undefined) throw new Error(`no truth of ${truth.forkedFrom}`)
    return [truth, ...listWithOrigins(origin)]
  }

  /** The tokens that the agent records. */
  function selectRecorded({reasoning, input, output, cacheRead, cacheWrite}: TrueTokens): Tokens {
    const tokens = {input, output, cacheRead, cacheWrite}
    return hasReasoning ? {...tokens, reasoning} : tokens
  }

  /** Adds the count that agents omit when it is 0. */
  function completeReasoning(tokens: Tokens): Tokens {
    return hasReasoning ? {...tokens, reasoning: tokens.reasoning ?? 0} : tokens
  }
}

function idOf({sessionIds: [id = '']}: Truth): string {
  return id
}

function sumOf(
  truths: readonly Truth[],
  name: 'toolCalls' | 'toolFailures' | 'toolsUnfinished',
): number {
  return truths.reduce((sum, truth) => sum + truth[name], 0)
}

/** Formats a request for comparison in any order: parallel agents have no fixed one. */
function formatRequest(model: string | undefined, tokens: Tokens): string {
  const {input, output, cacheRead, cacheWrite, reasoning} = tokens
  return JSON.stringify({model, input, output, cacheRead, cacheWrite, reasoning})
}
