import type {PlanItem, Tokens} from '../../core/events/events.ts'
import type {RunEnding, RunOrigin, RunSummary} from '../../core/run/run-summary.ts'
import {VERDICTS} from '../../core/run/verdict.ts'
import {WAITING_KINDS, type Waiting} from '../../core/run/waiting.ts'
import type {ChangedFile, Hit, StoreStats, ToolStats, ToolUse} from '../index/store.ts'
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

const AT = number('In milliseconds since 1970.')
const COST = orNull({type: 'number', description: 'null when that is not known.'})

/** Facts fixed when the run starts. */
export const origin: Fields<RunOrigin> = {
  always: {
    agent: orNull({type: 'string', description: 'null for a command that is no known agent.'}),
    title: text('What it was asked to do, in a line.'),
    cwd: text(),
    startedAt: AT,
  },
  maybe: {
    monogram: text('Two letters for the agent, where they are not the first two of its name.'),
    host: text('The machine that it runs on, when that is another.'),
  },
}

/** How a run ended. */
export const ending: Fields<RunEnding> = {
  always: {
    verdict: word(VERDICTS),
    reason: text('In words, harmless to print.'),
    evidence: list(text(), 'What the verdict rests on besides its reason.'),
    exitCode: orNull({type: 'integer', description: 'null when a signal ended it.'}),
    signal: orNull({type: 'string', description: 'Such as SIGKILL.'}),
    durationMs: number(),
    costUsd: COST,
    isEstimate: flag('Whether the cost is one.'),
    tokens: namedOrNull('Tokens', 'null when the agent reported none.'),
    turns: count(),
    toolCount: count(),
    failedToolCount: count(),
    deniedCount: count(),
    fileCount: count('As tools report, and as seen on disk where isWatched.'),
    isWatched: flag('Whether the folder was watched; without, a fileCount of 0 says nothing.'),
    added: count('Lines.'),
    removed: count('Lines.'),
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
        isStuck: flag('Whether it is past a limit of silence or of a tool.'),
        percentage: {...count(), maximum: 100},
        phase: text(),
        ...figures,
        plan: list(named('PlanItem'), 'The first 100.'),
        requests: list(named('OpenRequest'), 'What was asked for and not answered.'),
        taskCount: count('Work in the background.'),
        malformedCount: count('Lines that could not be read.'),
        unknownCount: count('Lines of a kind that is not known.'),
      },
      maybe: {
        ...origin.maybe,
        waiting: named('Waiting'),
        remainingMs: number('Only where there is ground to say it.'),
        agentVersion: text(),
        model: text(),
        sessionId: text(),
        pulse: text('What it was busy with, a letter for each slot of time.'),
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
    'What holds of a run.',
  ),
  Tokens: object<Tokens>({
    always: {
      input: count('Without those that were read from a cache or written to one.'),
      output: count(),
      cacheRead: count(),
      cacheWrite: count(),
    },
    maybe: {reasoning: count('Those of the output that were thinking.')},
  }),
  Waiting: object<Waiting>(
    {
      always: {why: word(WAITING_KINDS), detail: text(), since: AT},
      maybe: {until: AT, attempt: count(), of: count()},
    },
    'What a run does or waits for.',
  ),
  PlanItem: object<PlanItem>({
    always: {text: text(), status: word(['pending', 'in-progress', 'completed', 'cancelled'])},
    maybe: {},
  }),
  OpenRequest: object<RunSummary['requests'][number]>({
    always: {name: text("The agent's word for the tool."), askedAt: AT},
    maybe: {requestId: text()},
  }),
  ToolUse: object<ToolUse>({
    always: {toolUseId: text(), seq: count('Of the first message about it.'), at: AT},
    maybe: {
      tool: text("The agent's word; absent when only its result was seen."),
      success: flag('Absent while it runs.'),
      durationMs: number(),
    },
  }),
  ToolStats: object<ToolStats>({
    always: {tool: text(), count: count(), failures: count()},
    maybe: {p50Ms: number(), p95Ms: number()},
  }),
  ChangedFile: object<ChangedFile>({
    always: {
      path: text(),
      action: text('What was done last.'),
      changes: count(),
      isUncertain: flag(
        'Whether another run, active in the same folder, may have made all changes.',
      ),
    },
    maybe: {sizeBytes: count()},
  }),
  Hit: object<Hit>({
    always: {
      runId: text(),
      seq: count(),
      type: text(),
      at: AT,
      snippet: text('What is around the words, on one line.'),
    },
    maybe: {},
  }),
  Stats: object<StoreStats & {tools: unknown; indexing: unknown}>({
    always: {
      runs: count(),
      liveRuns: count(),
      messages: count(),
      bytes: count('Of the JSON of the messages.'),
      costUsd: number(),
      byVerdict: table(count()),
      byAgent: table(count(), 'The name of a command that is no known agent is empty.'),
      today: object<StoreStats['today']>({
        always: {runs: count(), costUsd: number(), byVerdict: table(count())},
        maybe: {},
      }),
      tools: list(named('ToolStats'), 'The most used first.'),
      indexing: count('How many recordings wait to be indexed.'),
    },
    maybe: {},
  }),
}
