import {createConversation} from './create-conversation.ts'
import type {Conversation} from './conversation.ts'
import {createRandom, type Random} from './random.ts'
import {IDLE_TASK, LIVE_TASK, TASKS} from './tasks.ts'

/** The sessions of the demo. */
export interface Plan {
  /** Sessions that have been over for an hour or longer, the oldest first. */
  past: Conversation[]
  /** Its agent waits for a prompt. */
  idle: Conversation
  /** It continues after `now`. */
  live: Conversation
}

const DAYS = 45
const MINUTE_MS = 60_000
const WORKDAY_MINUTES = 8 * 60
/** The last sessions that are over, in minutes ago. */
const RECENT_MINUTES = [330, 205, 100]

/** Plans the sessions of the last weeks. They differ from those of another day only by their times. */
export function planSessions(now: number, folderOf: (project: string) => string): Plan {
  const random = createRandom(20_261_116)
  const times = [...listTimes(now, random), ...RECENT_MINUTES.map((ago) => now - ago * MINUTE_MS)]
  const limit = now - 61 * MINUTE_MS
  const past = times.slice(-TASKS.length).flatMap((at, index) => {
    const task = TASKS[index]
    const agent = AGENTS[index % AGENTS.length]
    if (task === undefined || agent === undefined) return []
    const draft = {task, at, answerCount: random.integer(10, 30), ...agent}
    return [createConversation(draft, random, {folderOf, endsBefore: limit})]
  })
  return {
    past,
    idle: createConversation(
      {task: IDLE_TASK, at: now - 48 * MINUTE_MS, answerCount: 18, ...CODEX},
      random,
      {folderOf, endsBefore: now - 14 * MINUTE_MS},
    ),
    live: createConversation(
      {task: LIVE_TASK, at: now - 12 * MINUTE_MS, answerCount: 250, ...SMALL, pauseMs: 20_000},
      random,
      {folderOf},
    ),
  }
}

const CLAUDE = {agent: 'claude', model: 'claude-opus-5-5'} as const
const LARGE = {agent: 'claude', model: 'claude-fable-5-2'} as const
const SMALL = {agent: 'claude', model: 'claude-sonnet-5-5'} as const
const CODEX = {agent: 'codex', model: 'gpt-5.5'} as const
const GEMINI = {agent: 'gemini', model: 'gemini-3.1-pro-preview'} as const
const PI = {agent: 'pi', model: 'claude-sonnet-5-5'} as const

/** The agents of the sessions, one after the other. */
const AGENTS = [CLAUDE, CODEX, LARGE, CLAUDE, GEMINI, CODEX, CLAUDE, PI, CODEX, LARGE] as const

/** The times at which sessions begin, until yesterday: in working hours, fewer at weekends. */
function listTimes(now: number, random: Random): number[] {
  const times: number[] = []
  for (let daysAgo = DAYS; daysAgo >= 1; daysAgo--) {
    const day = new Date(now)
    day.setHours(9, 0, 0, 0)
    day.setDate(day.getDate() - daysAgo)
    const isWeekend = day.getDay() === 0 || day.getDay() === 6
    const count = isWeekend ? (random.happens(0.3) ? 1 : 0) : random.pick([1, 1, 1, 2, 3])
    for (let index = 0; index < count; index++) {
      const minutes = (WORKDAY_MINUTES / count) * index
      const delay = random.integer(0, Math.floor((WORKDAY_MINUTES * 0.8) / count))
      times.push(day.getTime() + (minutes + delay) * MINUTE_MS)
    }
  }
  return times
}
