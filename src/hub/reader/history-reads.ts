import {homedir} from 'node:os'
import type * as z from 'zod'
import {findAgent} from '../../agents/find-agent.ts'
import type {History} from '../../history/history.ts'
import type {PriceFinder} from '../../history/prices/find-price.ts'
import {createCalendar} from '../../history/usage/calendar.ts'
import {toTimes} from '../../history/usage/day-start.ts'
import {formatDay} from '../../history/usage/days.ts'
import {createUsageOverview} from '../../history/usage/overview.ts'
import {readReportedLimits} from '../../history/usage/reported-limits.ts'
import {createUsageReport} from '../../history/usage/usage-report.ts'
import {readConfig} from '../../recording/config.ts'
import {maskSecretsIn} from '../../secrets/mask-secrets.ts'
import type {RunIndex} from '../index/run-index.ts'
import type {EntryFacts} from '../index/store.ts'
import type {HistoryDays, UsageOverview, UsageReport} from '../protocol/history.ts'
import type {historyDaysQuery, usageOverviewQuery, usageQuery} from '../protocol/queries.ts'
import type {Sessions} from './sessions.ts'

const DEFAULT_DAYS = 30

/** Creates the reads about all runs and sessions together. */
export function createHistoryReads(dataDir: string, index: RunIndex, sessions: Sessions) {
  return {
    /** Tokens and cost by day, model or other groups. */
    async usage(query: z.infer<typeof usageQuery>): Promise<UsageReport> {
      const {history, prices} = await read()
      const {by, timezone, agent, ...rest} = query
      const {report} = createUsageReport(history.entries, prices, {
        ...rest,
        timezone,
        group: by,
        agents: agent === undefined ? undefined : [agent],
      })
      return report
    },
    /** The content of the usage page. */
    async usageOverview(query: z.infer<typeof usageOverviewQuery>): Promise<UsageOverview> {
      const {history, prices} = await read()
      const {timezone, agent, project} = query
      const now = Date.now()
      const today = createCalendar(timezone).dayOf(now)
      const {until = formatDay(today), since = formatDay(today - DEFAULT_DAYS + 1)} = query
      const overview = createUsageOverview(history.entries, prices, {
        timezone,
        since,
        until,
        now,
        project,
        agents: agent === undefined ? undefined : [agent],
        monthUsd: readConfig(dataDir).config.budget.monthUsd,
        reportedLimits: readReportedLimits(dataDir),
      })
      return {
        ...overview,
        topSessions: maskSecretsIn(overview.topSessions),
        folders: describeFolders(history),
      }
    },
    /** Counts runs and sessions by day, for the groups and filters of a list. */
    async historyDays(query: z.infer<typeof historyDaysQuery>): Promise<HistoryDays> {
      const {since, until, timezone, q: text, ...rest} = query
      const calendar = createCalendar(timezone)
      const facts = index.listFacts({...rest, text, ...toTimes({since, until}, calendar)})
      return countFacts(facts, (at) => formatDay(calendar.dayOf(at)))
    },
  }

  async function read(): Promise<{history: History; prices: PriceFinder}> {
    await sessions.listed
    const {history = EMPTY, prices} = sessions
    return {history, prices}
  }
}

const EMPTY: History = {entries: [], sessions: [], folders: [], problems: []}

function describeFolders({folders, sessions}: History): UsageOverview['folders'] {
  return folders.map(({agent, path, state}) => ({
    agent,
    label: findAgent(agent)?.label ?? agent,
    path: path.replace(homedir(), '~'),
    state,
    sessions: sessions.filter(
      ({transcripts: [main]}) =>
        main?.transcript.format.agent === agent && main.transcript.root === path,
    ).length,
  }))
}

function countFacts(facts: readonly EntryFacts[], dayOf: (at: number) => string): HistoryDays {
  const days = new Map<string, HistoryDays['days'][number]>()
  const projects = new Map<string, number>()
  const agents = new Map<string, number>()
  const kinds = {run: 0, session: 0, imported: 0}
  for (const {startedAt, costUsd, isEstimate, kind, agent, cwd} of facts) {
    const day = dayOf(startedAt)
    const counted = days.get(day) ?? {day, count: 0, costUsd: null, isEstimate: false}
    days.set(day, counted)
    counted.count++
    if (costUsd !== null) counted.costUsd = (counted.costUsd ?? 0) + costUsd
    counted.isEstimate ||= isEstimate && costUsd !== null
    kinds[kind]++
    projects.set(cwd, (projects.get(cwd) ?? 0) + 1)
    agents.set(agent, (agents.get(agent) ?? 0) + 1)
  }
  return {
    days: [...days.values()].toSorted((one, other) => (one.day < other.day ? 1 : -1)),
    kinds,
    live: facts.filter(({isOver}) => !isOver).length,
    failed: facts.filter(({isFailed}) => isFailed).length,
    needsYou: facts.filter(({isWaiting}) => isWaiting).length,
    projects: toCounts(projects, 'project'),
    agents: toCounts(agents, 'agent'),
  }
}

/** Counts by name, the largest first. */
function toCounts<K extends string>(counts: ReadonlyMap<string, number>, name: K) {
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([key, count]) => ({[name]: key, count}) as Record<K, string> & {count: number})
}
