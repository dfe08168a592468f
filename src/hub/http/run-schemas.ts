import type {PlanItem, Tokens} from '../../core/events/events.ts'
import type {RunEnding, RunOrigin, RunSummary} from '../../core/run/run-summary.ts'
import {VERDICTS} from '../../core/run/verdict.ts'
import {WAITING_KINDS, type Waiting} from '../../core/run/waiting.ts'
import type {Hit, StoreStats} from '../index/store.ts'
import {
  count,
  flag,
  list,
  named,
  namedOrNull,
  number,
  object,
  orNull,
  table,
  text,
  word,
  type Fields,
  type Schema,
} from './schema.ts'

const AT = number('Milliseconds since 1970.')
const COST = orNull({type: 'number', description: 'null if unknown.'})

/** Facts fixed when the run starts. */
export const origin: Fields<RunOrigin> = {
  always: {
    agent: orNull({type: 'string', description: 'null for an unknown agent.'}),
    title: text('First line of the prompt.'),
    cwd: text(),
    startedAt: AT,
  },
  maybe: {
    monogram: text('Two letters for the agent, where they are not the first two of its name.'),
    host: text('The machine it runs on, if it is not that of the hub.'),
  },
}

/** How a run ended. */
export const ending: Fields<RunEnding> = {
  always: {
    verdict: word(VERDICTS),
    reason: text('Reason in words, with control characters escaped.'),
    evidence: list(text(), 'Further evidence for the verdict.'),
    exitCode: orNull({type: 'integer', description: 'null if it was ended by a signal.'}),
    signal: orNull({type: 'string', description: 'The signal that ended it, such as SIGKILL.'}),
    durationMs: number(),
    costUsd: COST,
    isEstimate: flag('Whether the cost is an estimate.'),
    tokens: namedOrNull('Tokens', 'null if the agent reported none.'),
    turns: count(),
    toolCount: count(),
    failedToolCount: count(),
    deniedCount: count(),
    fileCount: count('Files changed by tools, and with `isWatched` also by other programs.'),
    isWatched: flag(
      'Whether the working directory was watched; if not, a `fileCount` of 0 means unknown.',
    ),
    added: count('Added lines.'),
    removed: count('Removed lines.'),
  },
  maybe: {},
}

const {verdict, reason, evidence, exitCode, signal, durationMs, isWatched, ...figures} =
  ending.always

/** A summary as it is sent: with the duration once the run ended. */
type SentSummary = RunSummary & {durationMs?: number | undefined}

/** The schemas of runs, by name. */
export const runSchemas: Readonly<Record<string, Schema>> = {
  RunSummary: object<SentSummary>(
    {
      always: {
        runId: text(),
        workOrderId: text(),
        ...origin.always,
        state: word(['starting', 'working', 'waiting', 'idle', 'over']),
        isStuck: flag('Whether it exceeds the limit for silence or for a tool call.'),
        percentage: {...count(), maximum: 100},
        phase: text(),
        ...figures,
        plan: list(named('PlanItem'), 'The first 100 items.'),
        requests: list(named('OpenRequest'), 'Open permission requests.'),
        taskCount: count('Background tasks.'),
        malformedCount: count('Malformed lines.'),
        unknownCount: count('Records with unknown types or blocks.'),
      },
      maybe: {
        ...origin.maybe,
        waiting: named('Waiting'),
        remainingMs: number('Present only if it can be estimated.'),
        agentVersion: text(),
        model: text(),
        sessionId: text(),
        pulse: text('Recent activity, one letter per time slot.'),
        endedAt: AT,
        verdict,
        reason,
        evidence,
        exitCode,
        signal,
        durationMs,
        isWatched,
      },
    },
    'The current summary of a run.',
  ),
  Tokens: object<Tokens>({
    always: {
      input: count('Excludes tokens read from or written to a cache.'),
      output: count(),
      cacheRead: count(),
      cacheWrite: count(),
    },
    maybe: {reasoning: count('Output tokens used for thinking.')},
  }),
  Waiting: object<Waiting>(
    {
      always: {why: word(WAITING_KINDS), detail: text(), since: AT},
      maybe: {until: AT, attempt: count(), of: count()},
    },
    'The activity of a run, or the reason why it waits.',
  ),
  PlanItem: object<PlanItem>({
    always: {text: text(), status: word(['pending', 'in-progress', 'completed', 'cancelled'])},
    maybe: {},
  }),
  OpenRequest: object<RunSummary['requests'][number]>({
    always: {name: text('Name of the tool in the agent.'), askedAt: AT},
    maybe: {requestId: text()},
  }),
  Hit: object<Hit>({
    always: {
      runId: text(),
      seq: count(),
      type: text(),
      at: AT,
      snippet: text('Text around the matches, on one line.'),
    },
    maybe: {},
  }),
  Stats: object<StoreStats & {indexing: unknown}>({
    always: {
      runs: count(),
      liveRuns: count(),
      messages: count(),
      costUsd: number(),
      byVerdict: table(count()),
      byAgent: table(count(), 'Unknown agents have an empty name.'),
      today: object<StoreStats['today']>({
        always: {runs: count(), costUsd: number(), byVerdict: table(count())},
        maybe: {},
      }),
      indexing: count('Number of recordings waiting to be indexed.'),
    },
    maybe: {},
  }),
}
