import {homedir} from 'node:os'
import {resolve} from 'node:path'
import {InvalidArgumentError, Option} from 'commander'
import {createCalendar, isTimezone} from '../history/usage/calendar.ts'
import {formatDay} from '../history/usage/days.ts'
import {defaultSpan, parseDate, parseSpan, rangeOf, type DayRange} from '../history/usage/range.ts'
import type {UsageGroup, UsageQuery} from '../history/usage/report.ts'
import {requireAgent} from './agent-names.ts'
import {CliError} from './cli-error.ts'
import {collect} from './option-values.ts'

/** The options that select usage. */
export interface UsageFlags {
  since?: string
  until?: string
  last?: string
  timezone?: string
  agent?: string[]
  project?: string
}

/** The usage to report, with its days as numbers. */
export interface ResolvedUsage {
  query: UsageQuery
  range: DayRange
  today: number
}

const DATE_HINT = 'Expected a date such as 2026-11-01, or today, yesterday or 7d (seven days ago).'

/** `--since` and the other options that select usage. */
export function createUsageOptions(): Option[] {
  return [
    new Option('--since <date>', 'first day: 2026-11-01, today, yesterday or 7d').argParser(
      checkDate,
    ),
    new Option('--until <date>', 'last day (default: today)').argParser(checkDate),
    new Option(
      '--last <count>',
      'last days: 7, 4w (default: 30 days); with week or month, last weeks or months (default: 12)',
    )
      .argParser(checkSpan)
      .conflicts(['since', 'until']),
    new Option('--timezone <zone>', 'time zone of days (default: that of this machine)').argParser(
      checkTimezone,
    ),
    new Option('-a, --agent <name>', 'only this agent; can be repeated').argParser(collect),
    new Option('--project <folder>', 'only this project: the name or path of its folder'),
  ]
}

/** Resolves the options to a range of days. */
export function resolveUsage(flags: UsageFlags, group: UsageGroup, now: number): ResolvedUsage {
  const {timezone} = flags
  const today = createCalendar(timezone).dayOf(now)
  const until = toDay(flags.until, today) ?? today
  const span = parseSpan(flags.last ?? '', group) ?? defaultSpan(group)
  const since = toDay(flags.since, today) ?? rangeOf(span, until).since
  if (since > until) {
    const given = flags.until === undefined ? 'today' : `--until ${flags.until}`
    throw new CliError(`--since ${flags.since} is after ${given}. Choose an earlier day`)
  }
  const query = {
    timezone,
    since: formatDay(since),
    until: formatDay(until),
    agents: flags.agent?.map((name) => requireAgent(name).id),
    project: flags.project === undefined ? undefined : resolveProject(flags.project),
  }
  return {query, range: {since, until}, today}
}

/** A relative path is meant from here, but a name is that of a project anywhere. */
export function resolveProject(project: string): string {
  if (project === '~' || /^~[/\\]/.test(project)) return homedir() + project.slice(1)
  return /^\.{1,2}(?:[/\\]|$)/.test(project) ? resolve(project) : project
}

/** Resolves a date to a day. */
export function toDay(text: string | undefined, today: number): number | undefined {
  return text === undefined ? undefined : parseDate(text, today)
}

/** Checks the value of an option with a date. */
export function checkDate(text: string): string {
  if (parseDate(text, 0) !== undefined) return text
  throw new InvalidArgumentError(DATE_HINT)
}

function checkSpan(text: string): string {
  if (parseSpan(text, 'day') !== undefined) return text
  throw new InvalidArgumentError('Expected a number above 0, such as 7, 30d or 4w.')
}

function checkTimezone(text: string): string {
  if (isTimezone(text)) return text
  throw new InvalidArgumentError('Expected a time zone such as UTC or Europe/Berlin.')
}
