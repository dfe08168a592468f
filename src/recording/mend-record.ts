import {isRecord, type Tokens, type VerdictKind, type WaitingKind} from '../core/index.ts'
import type {LiveRun, RunLimits, RunRecord, Sizes} from './recording.ts'

/** The format that is written now. */
const VERSION = 1

/**
 * Makes a record safe to work with that was read from a disk: it may be damaged, or of another version. What is missing
 * or is of the wrong kind is left out, or is what an empty run has.
 */
export function mendRecord(record: RunRecord): RunRecord {
  const {argv, ranArgv, startedAt, agentVersion, isWatched, limits, workOrder, live, sizes} = record
  const mended: RunRecord = {
    ...record,
    agent: record.agent ?? null,
    ranArgv: isTexts(ranArgv) ? ranArgv : argv,
  }
  if (agentVersion !== undefined) mended.agentVersion = textOf(agentVersion)
  if (isWatched !== undefined) mended.isWatched = isWatched === true
  if (limits !== undefined) mended.limits = mendLimits(limits)
  if (workOrder !== undefined) {
    mended.workOrder = {...workOrder, iteration: numberOr(workOrder.iteration, 1)}
  }
  if (live !== undefined) mended.live = mendLive(live, startedAt)
  if (sizes !== undefined) mended.sizes = mendSizes(sizes)
  if (record.result !== undefined) mended.result = mendResult(record, record.result)
  return mended
}

function mendLimits(limits: unknown): RunLimits {
  const {onStuck, ...rest} = isRecord(limits) ? limits : {}
  const kept = Object.entries(rest).filter(([name, limit]) => {
    return isNumber(limit) && (name === 'maxLineBytes' ? limit > 0 : limit >= 0)
  })
  const numbers = Object.fromEntries(kept) as RunLimits
  return onStuck === 'warn' || onStuck === 'stop' ? {...numbers, onStuck} : numbers
}

function mendLive(live: LiveRun, startedAt: number): LiveRun {
  const {at, why, detail, since, until, isStuck, costUsd, isEstimate} = live
  return {
    at: numberOr(at, startedAt),
    why: isOneOf(WAITINGS, why) ? why : 'starting',
    detail,
    since: numberOr(since, startedAt),
    ...(isNumber(until) ? {until} : {}),
    isStuck: isStuck === true,
    costUsd: isNumber(costUsd) ? costUsd : null,
    isEstimate: isEstimate === true,
  }
}

function mendSizes(sizes: Sizes): Sizes {
  const kept = Object.entries(sizes).filter(([, size]) => Number.isSafeInteger(size) && size >= 0)
  return {stdout: 0, stderr: 0, ...Object.fromEntries(kept)}
}

function mendResult(
  {version, startedAt, endedAt}: RunRecord,
  result: NonNullable<RunRecord['result']>,
): NonNullable<RunRecord['result']> {
  const {verdict, reason, evidence, exitCode, signal, ended, tokens, costUsd, estimateUsd} = result
  const isKnown = isOneOf(VERDICTS, verdict)
  return {
    ...result,
    verdict: isKnown ? verdict : 'failed',
    // What a later version calls an end is told, and is no success.
    reason: isKnown ? reason : `${verdict}, which this version does not know: ${reason}`,
    evidence: [
      ...(isTexts(evidence) ? evidence : []),
      ...(isNumber(version) && version > VERSION ? [LATER] : []),
    ],
    exitCode: isNumber(exitCode) ? exitCode : null,
    signal: textOf(signal) ?? null,
    ended: isEnding(ended) ? ended : undefined,
    startedAt: numberOr(result.startedAt, startedAt),
    durationMs: Math.max(0, numberOr(result.durationMs, (endedAt ?? startedAt) - startedAt)),
    costUsd: isNumber(costUsd) ? costUsd : null,
    isEstimate: result.isEstimate === true,
    estimateUsd: isNumber(estimateUsd) ? estimateUsd : null,
    tokens: mendTokens(tokens),
    lastSeen: textOf(result.lastSeen) ?? '',
    ...Object.fromEntries(COUNTS.map((name) => [name, numberOr(result[name], 0)])),
  }
}

const LATER = 'recorded by a later version of Vitrine, of which not all can be shown'

const COUNTS = [
  'turns',
  'toolCount',
  'failedToolCount',
  'deniedCount',
  'fileCount',
  'added',
  'removed',
  'lines',
  'malformed',
  'unknown',
] as const

const VERDICTS: Readonly<Record<VerdictKind, true>> = {
  succeeded: true,
  failed: true,
  stopped: true,
  truncated: true,
  'timed-out': true,
  'over-budget': true,
  stuck: true,
}

const WAITINGS: Readonly<Record<WaitingKind, true>> = {
  starting: true,
  writing: true,
  thinking: true,
  'waiting-for-tool': true,
  'waiting-for-permission': true,
  'api-retry': true,
  'rate-limited': true,
  compacting: true,
  background: true,
  silent: true,
  lingering: true,
}

function isOneOf<T extends string>(words: Readonly<Record<T, true>>, word: string): word is T {
  return Object.hasOwn(words, word)
}

function mendTokens(tokens: unknown): Tokens {
  const {input, output, cacheRead, cacheWrite, reasoning} = isRecord(tokens) ? tokens : {}
  return {
    input: numberOr(input, 0),
    output: numberOr(output, 0),
    cacheRead: numberOr(cacheRead, 0),
    cacheWrite: numberOr(cacheWrite, 0),
    ...(isNumber(reasoning) ? {reasoning} : {}),
  }
}

function isEnding(value: unknown): boolean {
  return isRecord(value) && typeof value['signal'] === 'string' && isNumber(value['afterMs'])
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function numberOr(value: unknown, otherwise: number): number {
  return isNumber(value) ? value : otherwise
}
