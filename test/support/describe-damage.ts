import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {TranscriptFormat} from '../../src/core/events/transcript.ts'
import {discoverTranscripts} from '../../src/history/discover.ts'
import {sumRequests} from '../../src/history/sessions.ts'
import {pathOf} from '../../src/history/transcripts.ts'
import type {UsageRequest} from '../../src/history/usage/report.ts'
import {createHome, readTruth, removeHome, scanHome, translateSession} from './transcripts.ts'

/** Registers tests that read the sessions of an agent after every line of all plain files was changed. */
export function describeDamage(format: TranscriptFormat): void {
  const {total, sessions: truths} = readTruth(format.agent)

  describe('damaged files', () => {
    test('count every request once when all lines are doubled', () => {
      const requests = scanChanged((line) => `${line}\n${line}`)
      expect(requests.length).toBe(total.requests)
      expect(sumRequests(requests)).toEqual(total.totals)
      expect(requests.reduce((sum, {toolCount}) => sum + toolCount, 0)).toBe(
        truths.reduce((sum, {toolCalls}) => sum + toolCalls, 0),
      )
    })

    test('count no request twice when neighbouring lines are swapped', () => {
      const requests = scanChanged((line, index, lines) => lines[index ^ 1] ?? line)
      expect(requests.length).toBe(total.requests)
      expect(sumRequests(requests)).toEqual(total.totals)
    })

    test.each(['null', '"x"', '-1', '[{}]', '{"type":{}}'])(
      'have no negative counts when fields are %s',
      (value) => {
        const requests = scanChanged((line, index) => {
          let field = 0
          return line.replaceAll(/(?<=":)(?:"(?:[^"\\]|\\.)*"|-?\d+|null)/g, (text) =>
            field++ % 7 === index % 7 ? value : text,
          )
        })
        expect(requests.length).toBeGreaterThan(0)
        for (const {tokens, toolCount} of requests) {
          const {reasoning = 0, ...counts} = tokens
          expect(Math.min(toolCount, reasoning, ...Object.values(counts))).toBeGreaterThanOrEqual(0)
        }
      },
    )
  })

  /** The requests after every line was replaced. All sessions are also translated. */
  function scanChanged(
    change: (line: string, index: number, lines: string[]) => string,
  ): UsageRequest[] {
    const home = createHome(format.agent)
    try {
      for (const transcript of discoverTranscripts([format], {home, env: {}}).transcripts) {
        if (transcript.file.compression !== undefined) continue
        const lines = readFileSync(pathOf(transcript), 'utf8').trimEnd().split('\n')
        writeFileSync(pathOf(transcript), `${lines.map(change).join('\n')}\n`)
      }
      const sessions = scanHome(format, home)
      for (const session of sessions) translateSession(session)
      return sessions.flatMap(({requests}) => requests)
    } finally {
      removeHome(home)
    }
  }
}
