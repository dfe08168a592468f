import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createHome, readTruth, removeHome, scanHome} from '../../../test/support/transcripts.ts'
import {transcriptFormats} from '../../agents/transcripts.ts'
import {createPriceFinder} from '../prices/find-price.ts'
import type {UsageEntry} from './report.ts'
import {createUsageReport} from './usage-report.ts'

const prices = createPriceFinder()

describe.each(transcriptFormats.map((format) => [format.agent, format] as const))(
  'usage of the transcripts of %s',
  (agent, format) => {
    let home: string
    let entries: UsageEntry[]

    beforeAll(() => {
      home = createHome(agent)
      entries = scanHome(format, home).map((session) =>
        Object.assign(session, {kind: 'session' as const}),
      )
    })

    afterAll(() => removeHome(home))

    test.each(['day', 'session', 'project', 'model', 'agent'] as const)(
      'by %s is that of the model server',
      (group) => {
        const {report} = createUsageReport(entries, prices, {group, timezone: 'UTC'})
        const {totals, requests} = readTruth(agent).total
        // Not every agent records the part of its output that was reasoning.
        const {reasoning: _, ...tokens} = report.total.tokens
        expect({...tokens, requests: report.total.requests}).toEqual({
          input: totals.input,
          output: totals.output,
          cacheRead: totals.cacheRead,
          cacheWrite: totals.cacheWrite,
          requests,
        })
        const sum = report.rows.reduce((output, row) => output + row.tokens.output, 0)
        expect(sum).toBe(totals.output)
      },
    )
  },
)
