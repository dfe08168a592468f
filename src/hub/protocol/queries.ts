import * as z from 'zod'
import {ENTRY_KINDS} from '../../core/run/run-summary.ts'
import {defaultFilter} from '../../core/protocol/server-message.ts'
import {MOMENT_ROLES} from '../../history/search/moments.ts'
import {isTimezone} from '../../history/usage/calendar.ts'
import {USAGE_GROUPS} from '../../history/usage/report.ts'
import type {LineRange} from '../../replay/run-item.ts'

const COUNT = 'expected a whole number of at least 0'
const NEXT = 'expected `next` of the previous page'
const TYPES = 'expected message types separated by commas, such as `agent_output,run_ended`'
const LINES = 'expected at most 1,000 line numbers, such as `3,17,20-25`'
const MAX_LINES = 1000
/** More than there are message types. */
const MAX_TYPES = 32

const number = (error: string, minimum = 0) => z.coerce.number(error).int(error).min(minimum, error)

/** A parameter that counts as absent if it is empty. */
function optional<T extends z.ZodType>(schema: T) {
  return z.preprocess((text) => (text === '' ? undefined : text), schema.optional()).optional()
}

function flag(isDefault: boolean) {
  const values: Record<string, boolean> = {'': isDefault, true: true, false: false}
  return z
    .preprocess((text) => values[String(text)], z.boolean('expected `true` or `false`'))
    .default(isDefault)
}

function limit(defaultLimit: number, maxLimit: number) {
  return number(`expected 1–${maxLimit}`, 1)
    .transform((given) => Math.min(given, maxLimit))
    .default(defaultLimit)
    .describe(`At most ${maxLimit}; a larger value is reduced to it.`)
}

function word<const T extends readonly string[]>(words: T) {
  const choices = new Intl.ListFormat('en', {type: 'disjunction'})
  return z.enum(words, `expected ${choices.format(words.map((known) => `\`${known}\``))}`)
}

const since = number(COUNT).default(0).describe('Only messages after this number.')
const types = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(z.string().regex(/^[a-z_]{1,40}$/, TYPES)).max(MAX_TYPES, TYPES))
  .optional()
  .describe('Message types, separated by commas.')

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'expected a day such as `2026-11-16`')
  .meta({examples: ['2026-11-16']})
const days = {
  since: optional(day).describe('The first day.'),
  until: optional(day).describe('The last day.'),
  timezone: optional(
    z
      .string()
      .refine(isTimezone, 'expected a time zone such as `Europe/Berlin`')
      .meta({examples: ['Europe/Berlin']}),
  ).describe('Of the days; that of the hub by default.'),
  agent: optional(z.string()),
  project: optional(z.string()).describe('The folder, or its name.'),
}

export const runsQuery = z.object({
  limit: limit(50, 500),
  before: z
    .string()
    .regex(/^-?\d{1,16}\..+$/, NEXT)
    .transform((text) => ({
      startedAt: Number.parseInt(text, 10),
      runId: text.slice(text.indexOf('.') + 1),
    }))
    .optional()
    .describe('`next` of the previous page.'),
  ...days,
  verdict: optional(z.string()),
  kind: optional(word(ENTRY_KINDS)),
  state: optional(word(['live', 'over', 'failed', 'needs-you'])),
  workOrderId: optional(z.string()),
  q: optional(z.string()).describe('Words that must all be in the title or in an id.'),
})

/** Creates the `before` of a list that continues after a run. */
export function cursorOf({startedAt, runId}: {startedAt: number; runId: string}): string {
  return `${startedAt}.${runId}`
}

export const eventsQuery = z.object({
  since,
  limit: limit(500, 5000),
  types,
  includeThinking: flag(false).describe(
    'Also the `agent_thinking` before each message, which does not count towards the limit.',
  ),
})

export const recordsQuery = z
  .object({
    lines: z
      .string()
      .transform(parseRanges)
      .pipe(z.custom<LineRange[]>(Array.isArray, LINES))
      .optional()
      .describe('Line numbers, at most 1,000, such as `3,17,20-25`.'),
    find: z
      .string()
      .min(2, 'expected at least 2 characters')
      .optional()
      .describe('Instead of `lines`: a text to find. Needs the right `answer`.'),
  })
  .refine(({lines, find}) => (lines ?? find) !== undefined, {path: ['lines'], error: LINES})

/** Parses lines such as `3,17,20-25`. */
function parseRanges(text: string): LineRange[] | undefined {
  const ranges = text.split(',').map((part): LineRange | null => {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? []
    return first !== '' && Number(last) >= Number(first) ? [Number(first), Number(last)] : null
  })
  const known = ranges.filter((range) => range !== null)
  const lineCount = known.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  return known.length === ranges.length && lineCount <= MAX_LINES ? joinRanges(known) : undefined
}

/** Sorts ranges and merges adjacent ones, so that no line is read twice. */
function joinRanges(ranges: readonly LineRange[]): LineRange[] {
  const joined: LineRange[] = []
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before === undefined || first > before[1] + 1) joined.push([first, last])
    else joined[joined.length - 1] = [before[0], Math.max(before[1], last)]
  }
  return joined
}

export const streamQuery = z.object({
  since,
  includeToolCalls: flag(defaultFilter.includeToolCalls),
  includeToolResults: flag(defaultFilter.includeToolResults),
  includeOutput: flag(defaultFilter.includeOutput),
  includeFileChanges: flag(defaultFilter.includeFileChanges),
  includeProgress: flag(defaultFilter.includeProgress),
  includeThinking: flag(defaultFilter.includeThinking),
})

export const streamHeaders = z.object({
  'Last-Event-ID': number(COUNT).optional().describe('Takes precedence over `since`.'),
})

export const rawQuery = z.object({
  file: optional(word(['stdout', 'stderr', 'stdin'])).meta({default: 'stdout'}),
})

export const rawHeaders = z.object({
  Range: z.string().optional().describe('One byte range, such as `bytes=0-1023` or `bytes=-500`.'),
})

export const searchQuery = z.object({
  q: z
    .string()
    .default('')
    .describe('Words that must all be in the message; the last one may be a prefix.'),
  runId: optional(z.string()),
  types,
  limit: limit(50, 500),
  before: number(NEXT)
    .transform((next) => (next === 0 ? undefined : next))
    .optional()
    .describe('`next` of the previous page.'),
})

export const usageQuery = z.object({...days, by: word(USAGE_GROUPS).default('day')})
export const usageOverviewQuery = z.object(days)

export const historyDaysQuery = runsQuery.omit({limit: true, before: true, workOrderId: true})

export const historySearchQuery = z.object({
  ...days,
  q: z.string().default('').describe('Words that must all occur; `"…"` is a phrase.'),
  kind: optional(word(ENTRY_KINDS)),
  role: optional(word(MOMENT_ROLES)),
  limit: limit(10, 100),
  offset: number(COUNT).default(0),
})

export const loginQuery = z.object({
  code: z.string().default('').describe('The code of the link; valid once.'),
})
