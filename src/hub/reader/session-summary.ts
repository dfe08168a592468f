import {findAgent} from '../../agents/find-agent.ts'
import {countTokens} from '../../core/run/ledger.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {cutText} from '../../core/text/text.ts'
import type {Entry} from '../../history/entries.ts'
import type {EntryFigures} from '../../history/summarize-entry.ts'
import {stateOfSession} from '../../history/session-state.ts'

const MAX_TITLE_LENGTH = 200

/** The facts of a run or a session from all of its transcripts. */
export interface KnownEntry {
  entry: Entry
  figures: EntryFigures
  /** When the agent will delete the session, if soon. */
  deletedAt?: number | undefined
}

/** The summary of a session that was not read, only scanned. */
export function summarizeSession(known: KnownEntry, now: number): RunSummary {
  const {entry} = known
  const {id, agent, session} = entry
  const idle = {
    runId: id,
    workOrderId: id,
    agent,
    monogram: findAgent(agent ?? '')?.monogram,
    isStuck: false,
    percentage: 0,
    phase: '',
    agentVersion: session?.agentVersion,
    plan: [],
    requests: [],
    taskCount: 0,
    malformedCount: 0,
    unknownCount: 0,
    failedToolCount: 0,
    deniedCount: 0,
    fileCount: 0,
    added: 0,
    removed: 0,
  }
  return {...idle, ...describe(known, now)}
}

/** A summary of a recording, with the facts that only the files of the agent contain. */
export function completeSummary(summary: RunSummary, known: KnownEntry, now: number): RunSummary {
  const {entry, figures} = known
  if (entry.run === undefined) {
    const described = describe(known, now)
    const waiting = described.state === 'working' ? summary.waiting : described.waiting
    return {...summary, ...described, waiting}
  }
  // The output of a live run is newer than the facts of its transcript.
  const isOver = summary.state === 'over' && figures.tokens !== null
  const hasTokens = !isOver && summary.tokens !== null && countTokens(summary.tokens) > 0
  const hasCost = summary.costUsd !== null
  return {
    ...summary,
    kind: entry.kind,
    model: summary.model ?? entry.model,
    tokens: hasTokens ? summary.tokens : figures.tokens,
    costUsd: hasCost ? summary.costUsd : figures.costUsd,
    isEstimate: hasCost ? summary.isEstimate : figures.isEstimate,
  }
}

/** The fields of a session that do not depend on its events. */
function describe({entry, figures, deletedAt}: KnownEntry, now: number) {
  const {title, cwd, model, startedAt, session} = entry
  const state = session === undefined ? 'ended' : stateOfSession(session, now)
  const endedAt = session?.endedAt ?? startedAt
  return {
    kind: entry.kind,
    title: cutText(title, MAX_TITLE_LENGTH),
    cwd,
    startedAt,
    state: STATES[state],
    waiting: state === 'idle' ? {why: 'idle' as const, detail: '', since: endedAt} : undefined,
    model,
    sessionId: session?.sessionId,
    writtenAt: session?.writtenAt,
    deletedAt,
    ...figures,
    endedAt: state === 'ended' ? endedAt : undefined,
    durationMs: state === 'ended' ? endedAt - startedAt : undefined,
  }
}

const STATES = {live: 'working', idle: 'idle', ended: 'over'} as const
