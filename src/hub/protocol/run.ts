import * as z from 'zod'
import {ENTRY_KINDS} from '../../core/run/run-summary.ts'
import {VERDICTS} from '../../core/run/verdict.ts'
import {WAITING_KINDS} from '../../core/run/waiting.ts'
import {count, flag, number, object, text} from './fields.ts'

const tokens = object('Tokens', {
  input: count('Without tokens read from or written to a cache.'),
  output: count(),
  cacheRead: count(),
  cacheWrite: count(),
  reasoning: count('The part of `output` used for thinking.').optional(),
})

const waiting = object('Waiting', {
  why: z.enum(WAITING_KINDS),
  detail: text(),
  since: number(),
  until: number('When the state ends by itself, if that is known.').optional(),
  attempt: count().optional(),
  of: count('The largest number of attempts.').optional(),
})

const planItem = object('PlanItem', {
  text: text(),
  status: z.enum(['pending', 'in-progress', 'completed', 'cancelled']),
})

const openRequest = object('OpenRequest', {
  requestId: text().optional(),
  name: text('Name of the tool in the agent.'),
  askedAt: number(),
})

/** Facts that are fixed when the run starts. */
export const runOrigin = {
  agent: text('`null` for a command that is not a known agent.').nullable(),
  monogram: text('Two letters for the agent, if not the first two of its name.').optional(),
  title: text('First line of the prompt, or the command.'),
  cwd: text('The working directory.'),
  startedAt: number(),
  host: text('The machine of the run, if it is not that of the hub.').optional(),
}

const figures = {
  costUsd: number('`null` if unknown.').nullable(),
  isEstimate: flag('Whether the cost is an estimate.'),
  tokens: tokens.nullable().describe('`null` if the agent reported none.'),
  turns: count('Requests to the model in the main conversation.'),
  toolCount: count(),
  failedToolCount: count(),
  deniedCount: count(),
  fileCount: count('Files that tools reported or that were seen on disk, without uncertain ones.'),
  added: count('Added lines, as tools reported them.'),
  removed: count('Removed lines, as tools reported them.'),
}

const result = {
  durationMs: number(),
  isWatched: flag('Whether all file changes were seen; if not, `fileCount` may be too low.'),
  verdict: z.enum(VERDICTS),
  reason: text('The reason in words, with control characters escaped.'),
  evidence: z.array(z.string()).describe('Further evidence for the verdict.'),
  exitCode: z.int().nullable().describe('`null` if a signal ended the process.'),
  signal: text('The signal that ended the process, such as `SIGKILL`, or `null`.').nullable(),
}

export const runEnding = {...result, ...figures}

export const runSummary = object('RunSummary', {
  runId: text(),
  kind: z
    .enum(ENTRY_KINDS)
    .describe('`session`: from the files of the agent. `imported`: a session of another machine.'),
  workOrderId: text('Equals `runId` if the run has no work order.'),
  ...runOrigin,
  state: z.enum(['starting', 'working', 'waiting', 'idle', 'over']),
  waiting: waiting.optional().describe('Its activity, or the reason why it waits; while it runs.'),
  isStuck: flag('Whether it is over a limit for silence or for a tool.'),
  percentage: count('As in `progress_update`.').max(100),
  phase: text(),
  remainingMs: number('Only if it can be estimated.').optional(),
  agentVersion: text().optional(),
  model: text().optional(),
  sessionId: text().optional(),
  writtenAt: number('Of a session: when its files were last written.').optional(),
  deletedAt: number('Of a session: when the agent will delete it, if soon.').optional(),
  ...figures,
  plan: z.array(planItem).readonly().describe('The first 100 items.'),
  requests: z.array(openRequest).describe('Open permission requests.'),
  taskCount: count('Background tasks.'),
  malformedCount: count('Lines that could not be parsed.'),
  unknownCount: count('Records of an unknown kind.'),
  pulse: text('Recent activity, one letter per time slot.').optional(),
  endedAt: number('Only after the end, like all fields below.').optional(),
  ...z.object(result).partial().shape,
})
