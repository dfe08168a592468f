import type {TranscriptFacts} from '../core/events/transcript.ts'
import {countTokens, NO_TOKENS} from '../core/run/ledger.ts'
import type {EntryKind} from '../core/run/run-summary.ts'
import {firstLine} from '../core/text/text.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {sessionIdsOf} from './scan-recording.ts'
import type {Session} from './sessions.ts'
import type {RequestList, UsageRequest} from './usage/report.ts'

/** A run or a session in the list. Each request to a model is in exactly one entry. */
export interface Entry {
  /** The id of the run, or of the session. */
  id: string
  kind: EntryKind
  agent: string | null
  title: string
  cwd: string
  model?: string | undefined
  startedAt: number
  requests: RequestList
  run?: RecordedRun | undefined
  /** The first session of a run, as its output names it. */
  sessionId?: string | undefined
  /** The session, also that of a run if its files exist. */
  session?: Session | undefined
}

/** A recorded run with the facts of its output. */
export interface ScannedRun {
  run: RecordedRun
  facts: TranscriptFacts
}

/** Hooks of Claude Code record its interactive sessions. */
const HOOK_AGENT = 'claude-hooks'
/** A request can be this much older than the record of its run, unless another run was still running. */
const CLOCK_TOLERANCE_MS = 2000

/** Joins runs and sessions: a session that a run began is that run. The newest entry comes first. */
export function joinEntries(runs: readonly ScannedRun[], sessions: readonly Session[]): Entry[] {
  const byId = new Map(
    sessions.map((session) => [`${session.agent} ${session.sessionId}`, session]),
  )
  const runsOf = new Map<Session, Entry[]>()
  const entries: Entry[] = []
  for (const {run, facts} of runs.toSorted((one, other) => startOf(one) - startOf(other))) {
    const entry = toRunEntry(run, facts)
    entries.push(entry)
    for (const sessionId of sessionIdsOf(facts)) {
      const session = byId.get(`${agentOf(run)} ${sessionId}`)
      if (session === undefined) continue
      entry.session ??= session
      runsOf.set(session, [...(runsOf.get(session) ?? []), entry])
    }
  }
  const joined = new Map<Entry, UsageRequest[]>()
  for (const entry of entries) if (entry.session !== undefined) joined.set(entry, [])
  for (const session of sessions) {
    const owners = runsOf.get(session)
    if (owners === undefined) entries.push(toSessionEntry(session))
    else for (const request of session.requests) joined.get(ownerOf(owners, request))?.push(request)
  }
  // Files of a session may be incomplete: then the output of the run counts.
  for (const [entry, requests] of joined) if (requests.length > 0) entry.requests = requests
  for (const entry of entries) {
    addResult(entry)
    shareCost(entry)
  }
  return entries.toSorted((one, other) => other.startedAt - one.startedAt)
}

/** The kind and id of the entry of a run, before its session is known. */
function toRunEntry(run: RecordedRun, facts: TranscriptFacts): Entry {
  const {runId, prompt, argv, cwd, startedAt} = run.record
  return {
    id: runId,
    kind: kindOf(run),
    agent: agentOf(run),
    title: firstLine(prompt ?? argv.join(' ')),
    cwd,
    model: facts.model,
    startedAt,
    requests: [...facts.requests],
    run,
    sessionId: sessionIdsOf(facts)[0],
  }
}

function kindOf({record}: RecordedRun): EntryKind {
  if (record.isTranscript === true) return 'imported'
  return record.agent === HOOK_AGENT ? 'session' : 'run'
}

function toSessionEntry(session: Session): Entry {
  const {id, agent, cwd = '', model, startedAt, requests} = session
  const title = titleOf(session)
  return {id, kind: 'session', agent, title, cwd, model, startedAt, requests, session}
}

/** The title that the agent gave, else the first line of the first prompt. */
export function titleOf({title, prompt}: Pick<Session, 'title' | 'prompt'>): string {
  return firstLine(title ?? prompt ?? '').trim()
}

function agentOf({record}: RecordedRun): string | null {
  return record.agent === HOOK_AGENT ? 'claude' : record.agent
}

function startOf({run}: ScannedRun): number {
  return run.record.startedAt
}

/** The run of a session that made a request: several runs can resume one session. */
function ownerOf(owners: readonly Entry[], {at}: UsageRequest): Entry {
  const next = owners.findIndex(({startedAt}) => startedAt > at)
  const before = owners.at(next === -1 ? -1 : next - 1)
  const after = owners[next]
  const owner = next === 0 || (after !== undefined && isOfNext(at, before, after)) ? after : before
  if (owner === undefined) throw new Error('a session without runs')
  return owner
}

/** Whether a request between the starts of two runs is one of the second, whose record began a little later. */
function isOfNext(at: number, before: Entry | undefined, {startedAt}: Entry): boolean {
  return startedAt - CLOCK_TOLERANCE_MS <= at && (before?.run?.record.endedAt ?? Infinity) < at
}

/** The output of some agents has no usage of requests, but their result has. */
function addResult(entry: Entry): void {
  const {run, requests, model, startedAt} = entry
  const result = run?.record.result
  if (result === undefined || requests.length > 0) return
  const {tokens, costUsd, toolCount} = result
  if (tokens === null && costUsd === null) return
  entry.requests = [
    {
      at: startedAt,
      model,
      tokens: tokens ?? NO_TOKENS,
      costUsd: costUsd ?? undefined,
      toolCount,
    },
  ]
}

/** The cost that the agent reported for a run is that of its requests, in proportion to their tokens. */
function shareCost(entry: Entry): void {
  const result = entry.run?.record.result
  if (result === undefined || result.costUsd === null || result.isEstimate) return
  let total = 0
  for (const {tokens} of entry.requests) total += weigh(tokens)
  if (total === 0) return
  entry.requests = Array.from(entry.requests, (request) => ({
    ...request,
    costUsd: ((result.costUsd ?? 0) * weigh(request.tokens)) / total,
  }))
}

/** Output costs about five times as much as input, and reading from a cache a tenth. */
function weigh(tokens: UsageRequest['tokens']): number {
  return countTokens(tokens) + 4 * tokens.output - 0.9 * tokens.cacheRead
}
