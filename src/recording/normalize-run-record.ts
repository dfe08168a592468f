import type {Tokens} from '../core/events/events.ts'
import {countTokens} from '../core/run/ledger.ts'
import type {Ending} from '../core/run/run-result.ts'
import {VERDICTS} from '../core/run/verdict.ts'
import {WAITING_KINDS} from '../core/run/waiting.ts'
import {isRecord, type JsonObject} from '../core/wire/json.ts'
import type {ProcessId} from './process-id.ts'
import type {HookRequest, HookSession, LiveRun, RunLimits, RunRecord, Sizes} from './run-record.ts'

/** The version of the format that is written. */
const VERSION = 1

/** The largest time that a `Date` can have. */
const MAX_TIME = 8.64e15
/** A century: a longer duration is a damaged number. */
const MAX_DURATION_MS = 3.2e12
/** Limits in characters. A list loads every record, so the size of a record is bounded. */
const MAX_LENGTH = {
  cwd: 4096,
  host: 255,
  agent: 100,
  agentVersion: 100,
  prompt: 65_536,
  word: 8192,
  workOrder: 255,
  reason: 2000,
  detail: 1000,
  evidence: 1000,
} as const
const MAX_ARGUMENTS_LENGTH = 65_536
const MAX_EVIDENCE = 100

/**
 * Returns a record with every field valid and bounded: it was read from a disk or a socket, and may be damaged, hostile,
 * or of another version. A field that is missing or invalid gets the value of an empty run, or none.
 */
function normalizeRecord(record: RunRecord): RunRecord {
  const {agent, isWatched, limits, workOrder, live, session, endedAt, sizes, result} = record
  const startedAt = Math.round(record.startedAt)
  const argv = cutArguments(record.argv)
  return {
    version: record.version,
    runId: record.runId,
    argv,
    ranArgv: isTexts(record.ranArgv) ? cutArguments(record.ranArgv) : argv,
    cwd: cut(record.cwd, MAX_LENGTH.cwd),
    agent: cutText(agent, MAX_LENGTH.agent) ?? null,
    agentVersion: cutText(record.agentVersion, MAX_LENGTH.agentVersion),
    prompt: cutText(record.prompt, MAX_LENGTH.prompt),
    startedAt,
    process: record.process && pickProcessId(record.process),
    marker: record.marker,
    supervisor: pickProcessId(record.supervisor),
    host: cutText(record.host, MAX_LENGTH.host),
    isWatched: isWatched === undefined ? undefined : isWatched === true,
    isTranscript: record.isTranscript === true ? true : undefined,
    limits: limits === undefined ? undefined : normalizeLimits(limits),
    workOrder: workOrder && {
      id: cut(workOrder.id, MAX_LENGTH.workOrder),
      iteration: countOr(workOrder.iteration, 1),
    },
    live: live && normalizeLive(live, startedAt),
    session: isRecord(session) ? normalizeSession(session) : undefined,
    endedAt: isTime(endedAt) ? endedAt : undefined,
    sizes: sizes && normalizeSizes(sizes),
    result: result && normalizeResult(record, result),
  }
}

function pickProcessId({pid, startTime}: ProcessId): ProcessId {
  return {pid, startTime}
}

function cutArguments(words: readonly string[]): string[] {
  let remaining = MAX_ARGUMENTS_LENGTH
  const kept: string[] = []
  for (const word of words) {
    if (remaining <= 0) return [...kept, '…']
    const text = cut(word, Math.min(MAX_LENGTH.word, remaining))
    kept.push(text)
    // Empty words need memory, too.
    remaining -= text.length + 1
  }
  return kept
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

function cutText(text: unknown, length: number): string | undefined {
  return typeof text === 'string' ? cut(text, length) : undefined
}

/** Picks the valid limits of a run. */
export function normalizeLimits(limits: unknown): RunLimits {
  const given = isRecord(limits) ? limits : {}
  const normalized: RunLimits = {}
  for (const name of LIMITS) {
    const limit = given[name]
    if (isNumber(limit) && limit >= (name === 'maxLineBytes' ? 1 : 0)) normalized[name] = limit
  }
  const {onStuck} = given
  return onStuck === 'warn' || onStuck === 'stop' ? {...normalized, onStuck} : normalized
}

const LIMITS = [
  'timeoutMs',
  'silenceMs',
  'toolTimeoutMs',
  'maxCostUsd',
  'maxTurns',
  'lingerMs',
  'killAfterMs',
  'maxLineBytes',
] as const

function normalizeLive(live: LiveRun, startedAt: number): LiveRun {
  const {at, why, detail, since, until, attempt, of, isStuck, costUsd, isEstimate} = live
  return {
    at: timeOr(at, startedAt),
    why: isOneOf(WAITING_KINDS, why) ? why : 'starting',
    detail: cut(detail, MAX_LENGTH.detail),
    since: timeOr(since, startedAt),
    until: isTime(until) ? until : undefined,
    attempt: isCount(attempt) ? attempt : undefined,
    of: isCount(of) ? of : undefined,
    isStuck: isStuck === true,
    costUsd: isNumber(costUsd) ? costUsd : null,
    isEstimate: isEstimate === true,
  }
}

function normalizeSession(session: JsonObject): HookSession {
  const {lock, transcript, offset, requests, cost} = session
  return {
    // It becomes part of a path.
    lock: typeof lock === 'string' && LOCK.test(lock) ? lock : '',
    transcript: cutText(transcript, MAX_LENGTH.cwd),
    offset: countOr(offset, 0),
    requests: (Array.isArray(requests) ? requests : [])
      .slice(0, MAX_REQUESTS)
      .flatMap((request: unknown) => (isRecord(request) ? [normalizeRequest(request)] : [])),
    cost: isRecord(cost) ? normalizeCost(cost) : undefined,
  }
}

function normalizeCost({usd, lastKey, lastUsd}: JsonObject): NonNullable<HookSession['cost']> {
  const key = cutText(lastKey, MAX_LENGTH.detail) ?? ''
  return {usd: countOr(usd, 0), lastKey: key, lastUsd: countOr(lastUsd, 0)}
}

const LOCK = /^\.hooks-[0-9a-f]{16}$/
const MAX_REQUESTS = 100

function normalizeRequest({name, input, command, askedAt}: JsonObject): HookRequest {
  return {
    name: cutText(name, MAX_LENGTH.detail) ?? '',
    input: cutText(input, MAX_LENGTH.detail) ?? '',
    command: cutText(command, MAX_LENGTH.word),
    askedAt: timeOr(askedAt, 0),
  }
}

function normalizeSizes(sizes: Sizes): Sizes {
  const kept = Object.entries(sizes)
    .filter(([name, size]) => name.length <= 40 && Number.isSafeInteger(size) && size >= 0)
    .slice(0, 20)
  return {stdout: 0, stderr: 0, ...Object.fromEntries(kept)}
}

function normalizeResult(
  {version, runId, agent, startedAt, endedAt}: RunRecord,
  result: NonNullable<RunRecord['result']>,
): NonNullable<RunRecord['result']> {
  const {verdict, evidence, exitCode, signal, ended, costUsd, estimateUsd} = result
  const isKnown = isOneOf(VERDICTS, verdict)
  const reason = cut(result.reason, MAX_LENGTH.reason)
  const elapsedMs = Math.max(0, (isTime(endedAt) ? endedAt : startedAt) - startedAt)
  return {
    runId,
    agent: cutText(agent, MAX_LENGTH.agent) ?? null,
    verdict: isKnown ? verdict : 'failed',
    // A verdict of a later version is shown as it is, and does not count as a success.
    reason: isKnown ? reason : `unknown verdict ${cut(verdict, 40)}: ${reason}`,
    evidence: [
      ...(isTexts(evidence) ? evidence : [])
        .slice(0, MAX_EVIDENCE)
        .map((text) => cut(text, MAX_LENGTH.evidence)),
      ...(isNumber(version) && version > VERSION ? [NEWER_VERSION_NOTICE] : []),
    ],
    exitCode: isNumber(exitCode) ? exitCode : null,
    signal: cutText(signal, 20) ?? null,
    ended: isEnding(ended) ? ended : undefined,
    startedAt: timeOr(result.startedAt, startedAt),
    durationMs: isDuration(result.durationMs) ? result.durationMs : elapsedMs,
    costUsd: isNumber(costUsd) ? costUsd : null,
    isEstimate: result.isEstimate === true,
    estimateUsd: isNumber(estimateUsd) ? estimateUsd : null,
    tokens: normalizeTokens(result.tokens),
    lastSeen: cutText(result.lastSeen, MAX_LENGTH.detail) ?? '',
    turns: countOr(result.turns, 0),
    toolCount: countOr(result.toolCount, 0),
    failedToolCount: countOr(result.failedToolCount, 0),
    deniedCount: countOr(result.deniedCount, 0),
    fileCount: countOr(result.fileCount, 0),
    isWatched: result.isWatched === true,
    added: countOr(result.added, 0),
    removed: countOr(result.removed, 0),
    lines: countOr(result.lines, 0),
    malformed: countOr(result.malformed, 0),
    unknown: countOr(result.unknown, 0),
  }
}

const NEWER_VERSION_NOTICE = 'recorded by a later version of Vitrine: some of it cannot be shown'

function isOneOf<T extends string>(words: readonly T[], word: string): word is T {
  const known: readonly string[] = words
  return known.includes(word)
}

/** Earlier versions wrote zeros where the agent reported none. */
function normalizeTokens(value: unknown): Tokens | null {
  const {input, output, cacheRead, cacheWrite, reasoning} = isRecord(value) ? value : {}
  const tokens = {
    input: countOr(input, 0),
    output: countOr(output, 0),
    cacheRead: countOr(cacheRead, 0),
    cacheWrite: countOr(cacheWrite, 0),
    ...(isCount(reasoning) ? {reasoning} : {}),
  }
  return countTokens(tokens) === 0 ? null : tokens
}

function isEnding(value: unknown): value is Ending {
  if (!isRecord(value)) return false
  const {signal, afterMs} = value
  return typeof signal === 'string' && signal.length <= 20 && isDuration(afterMs)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

function isCount(value: unknown): value is number {
  return isNumber(value) && value >= 0
}

function countOr(value: unknown, otherwise: number): number {
  return isCount(value) ? value : otherwise
}

/** Whether a value is a valid time, in milliseconds since 1970. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= MAX_TIME
}

function timeOr(value: unknown, otherwise: number): number {
  return isTime(value) ? value : otherwise
}

function isDuration(value: unknown): value is number {
  return isCount(value) && value <= MAX_DURATION_MS
}

const MAX_MARKER_LENGTH = 200

/** The record of a run in JSON, normalized; `null` when its essential fields are missing or of the wrong type. */
export function parseRunRecord(value: unknown): RunRecord | null {
  return isRunRecord(value) ? normalizeRecord(value) : null
}

function isRunRecord(value: unknown): value is RunRecord {
  if (!isRecord(value)) return false
  const {argv, cwd, agent, prompt, host, startedAt, endedAt, marker} = value
  const {process, live, sizes, result, workOrder} = value
  return (
    isTexts(argv) &&
    [cwd, agent ?? '', prompt ?? '', host ?? ''].every((text) => typeof text === 'string') &&
    [startedAt, endedAt ?? 0].every(isTime) &&
    typeof marker === 'string' &&
    marker !== '' &&
    marker.length <= MAX_MARKER_LENGTH &&
    isProcessId(value['supervisor']) &&
    (process === undefined || isProcessId(process)) &&
    (workOrder === undefined || (isRecord(workOrder) && hasWords(workOrder, 'id'))) &&
    (sizes === undefined || (isRecord(sizes) && Number.isSafeInteger(sizes['stdout']))) &&
    (live === undefined || (isRecord(live) && hasWords(live, 'why', 'detail') && hasCost(live))) &&
    (result === undefined ||
      (isRecord(result) && hasWords(result, 'verdict', 'reason') && hasFigures(result)))
  )
}

export function isProcessId(value: unknown): value is ProcessId {
  if (!isRecord(value)) return false
  const {pid, startTime} = value
  // Version 0.1.0 makes the time part of a file name.
  const isTimed = startTime === undefined || /^\d+$/.test(String(startTime))
  return Number.isInteger(pid) && Number(pid) > 1 && isTimed
}

function hasWords(value: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof value[name] === 'string')
}

function hasCost({costUsd}: Record<string, unknown>): boolean {
  return costUsd === null || typeof costUsd === 'number'
}

function hasFigures(result: Record<string, unknown>): boolean {
  return hasCost(result) && ['number', 'undefined'].includes(typeof result['toolCount'])
}
