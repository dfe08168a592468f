import * as z from 'zod'
import {count, flag, named, number, object, text} from './fields.ts'
import {runSummary} from './run.ts'
import {runMessage} from './server-messages.ts'

const indexing = count('Number of recordings that are not indexed yet.')
const byName = z.record(z.string(), count())

export const errorAnswer = object('Error', {
  error: z.object({
    code: text('Stable code for programs.'),
    message: text('For people; it may change.'),
  }),
})

export const runPage = object('RunPage', {
  runs: z.array(runSummary).describe('Newest first.'),
  total: count('Number of runs on all pages.'),
  next: text('`before` of the next page; `null` on the last page.').nullable(),
  indexing,
})

export const runAnswer = object('Run', {
  run: runSummary,
  lastSeq: count('Number of the last indexed message.'),
})

export const eventPage = object('EventPage', {
  events: z.array(runMessage).describe('In order, without state messages.'),
  next: count('`since` of the next page.'),
  isEnd: flag('Whether there are no more messages so far.'),
})

const fullRecord = object('FullRecord', {
  line: count('Line number, starting at 1.'),
  raw: text('The line with secrets masked, cut at 64 KiB.'),
  events: z.array(z.looseObject({})).describe('Its events: `AgentEvent` of the npm package.'),
})

/** Complete lines of a run, or the numbers of lines that contain a text. */
export const recordsAnswer = z
  .union([
    object('Records', {records: z.array(fullRecord)}),
    object('FoundLines', {
      lines: z.array(count()).describe('Numbers of the first 1,000 matching lines.'),
      total: count('Number of matching lines.'),
    }),
  ])
  .register(named, {id: 'RecordsAnswer'})

const hit = object('Hit', {
  runId: text(),
  seq: count(),
  type: z.enum(runMessage.options.map((option) => option.shape.type.value)),
  at: number(),
  snippet: text('Text around the matches, on one line.'),
})

export const hitPage = object('HitPage', {
  hits: z.array(hit).describe('The message that was added last comes first.'),
  next: count('`before` of the next page; `null` on the last page.').nullable(),
  indexing,
})

export const stats = object('Stats', {
  runs: count(),
  liveRuns: count(),
  messages: count(),
  costUsd: number(),
  byVerdict: byName,
  byAgent: byName.describe('A command that is not a known agent has an empty name.'),
  today: z
    .object({runs: count(), costUsd: number(), byVerdict: byName})
    .describe('Since midnight in the time zone of the hub.'),
  indexing,
})

export const loginLink = object('LoginLink', {
  url: text('Logs one browser in; valid once, for 10 minutes.'),
})

export const hookAccepted = object('HookAccepted', {
  runId: text('The run that the payload belongs to.'),
})

export const health = object('Health', {status: z.literal('ok'), version: text()})

export type RunPage = z.infer<typeof runPage>
export type RunAnswer = z.infer<typeof runAnswer>
export type EventPage = z.infer<typeof eventPage>
export type SearchHit = z.infer<typeof hit>
export type HitPage = z.infer<typeof hitPage>
export type Stats = z.infer<typeof stats>
export type {
  ArchiveState,
  HistoryDays,
  HistorySearch,
  UsageBlock,
  UsageOverview,
} from './history.ts'
