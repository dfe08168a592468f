import {statSync} from 'node:fs'
import {statfs} from 'node:fs/promises'
import {setTimeout as delay} from 'node:timers/promises'
import {
  createEventDecoder,
  explainWaiting,
  findBreach,
  initialRunState,
  reduceRunState,
  settleRequest,
  withUnsettled,
  type Adapter,
  type AgentEvent,
  type Breach,
  type Ending,
  type Limits,
  type PermissionEvent,
  type RunResult,
  type RunState,
  type Spent,
  type StopCause,
  type Waiting,
} from '../core/index.ts'
import {beginConversation, type Conversation, type Parties} from './conversation.ts'
import {describeError} from './describe-error.ts'
import {followFile} from './follow.ts'
import {createInspector, signalGroup, sweep, type ProcessState} from './process.ts'
import type {Answer, PersonalAnswer} from './permission-desk.ts'
import {createQueue} from './queue.ts'
import {
  append,
  freeRoom,
  openTiming,
  readRunRecord,
  recordingAt,
  writeRunRecord,
  type LiveRun,
  type Piece,
  type PieceKind,
  type RunRecord,
} from './recording.ts'
import {makeResult} from './result.ts'

/** How to look after a run. */
export interface SuperviseOptions extends Limits {
  /**
   * What to do with a run that is stuck.
   *
   * @defaultValue `warn`
   */
  onStuck?: 'warn' | 'stop' | undefined
  /**
   * How long an agent that is told to stop has to do so.
   *
   * @defaultValue 5 seconds
   */
  killAfterMs?: number | undefined
  /** Gets the agent's output as it comes, before it is events. */
  onOutput?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Gets what the agent prints on stderr. */
  onStderr?: ((chunk: Uint8Array) => void | Promise<void>) | undefined
  /** Gets what Vitrine has to say of the run itself. */
  onNotice?: ((notice: Notice) => void | Promise<void>) | undefined
}

/** What Vitrine has to say of a run. */
export type Notice =
  | {type: 'stuck'; breach: Breach; waiting: Waiting; process: ProcessState | null}
  | {type: 'stopping'; cause: StopCause; reason: string}
  | {type: 'killing'}
  | {type: 'not-recorded'; reason: string}
  | {type: 'asked'; request: PermissionEvent}
  | {type: 'answered'; answer: Answer}
  | {type: 'cancelled'; requestId: string}

/** An agent at work: its events as they come, and how it ended. */
export interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly runId: string
  /** The folder of its recording. */
  readonly dir: string
  /** `null` for a command that is no known agent. */
  readonly agent: string | null
  /** How it ended; never rejected. */
  readonly result: Promise<RunResult>
  /** Tells the agent to stop, politely first. A second call forces it. */
  stop(reason?: string): void
  /** Answers what the agent asked; false when nobody waits for it. */
  answer(requestId: string, answer: PersonalAnswer): boolean
  /** What holds right now. */
  status(): RunStatus
}

/** What holds of a run right now. */
export interface RunStatus {
  state: RunState
  waiting: Waiting
  startedAt: number
  costUsd: number | undefined
  isEstimate: boolean
  /** What the system tells of a process that is stuck. */
  stuck: {breach: Breach; process: ProcessState | null} | undefined
}

/** The run to look after. */
export interface Job {
  dir: string
  record: RunRecord
  agent: Adapter | null
  /** The process and its end. */
  pid: number
  ended: Promise<ProcessEnd>
  /** Whether the run is ours to end and to write down; else we only look on. That may change while we do. */
  readonly isOwner: boolean
  /** When it ended, if that was before now. */
  endedAt?: number | undefined
  /** When the pieces came that are there already. */
  pieces?: readonly Piece[]
  /** How to speak with it, when it is to ask for permissions. */
  talk?: Talk | undefined
}

/** What a conversation needs. */
interface Talk extends Pick<Parties, 'control' | 'permissions' | 'stdin'> {
  prompt: string
}

/** How a process ended; both `null` when nobody was there to see. */
export interface ProcessEnd {
  exitCode: number | null
  signal: string | null
}

const DEFAULTS = {silenceMs: 600_000, lingerMs: 10_000, killAfterMs: 5000}
const TICK_MS = 200
/** What is on its way when a process ends arrives within this. */
const GRACE_MS = 100
const SNAPSHOT_MS = 2000
/** A timer that is to wait longer does not wait at all. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** Looks after a run from its process to its verdict. */
export function supervise(job: Job, options: SuperviseOptions): AgentRun {
  const {dir, agent, pid} = job
  const files = recordingAt(dir)
  const limits: Limits = {...DEFAULTS, ...withoutUndefined(options)}
  const {killAfterMs = DEFAULTS.killAfterMs, onStuck = 'warn'} = options
  const {startedAt} = job.record
  const clock = createClock(job.pieces ?? [])
  const decoder = agent === null ? null : createEventDecoder(agent, {now: clock.now})
  const queue = createQueue<AgentEvent>()
  const out = followFile(files.stdout)
  const err = followFile(files.stderr)
  /** How much was there already, and has its times. */
  const timed = {out: endOf(job.pieces, 'out'), err: endOf(job.pieces, 'err')}
  let timing = job.isOwner ? openTiming(files.timing, notRecorded) : undefined
  const inspect = createInspector(pid)
  const seen = {out: 0, err: 0, in: 0}
  /** How much of that has been told to everybody. */
  const taken = {out: 0, err: 0}
  let record = job.record
  let state: RunState = {
    ...initialRunState,
    activity: {...initialRunState.activity, since: startedAt},
  }
  let lastOutputAt = Math.max(startedAt, Date.now())
  let lastTool = ''
  let stderrTail = ''
  let stop: {cause: StopCause; reason: string; at: number} | undefined
  let ending: Ending | undefined
  let stuck: RunStatus['stuck']
  /** What the run was last said to have cost while that was not told. */
  let estimateUsd: number | undefined
  let lostReason: string | undefined
  let lastSnapshotAt = 0
  let hasEnded = false
  const stopTimers: NodeJS.Timeout[] = []
  const conversation = job.talk && beginTalk(job.talk)
  const ticker = setInterval(tick, TICK_MS)
  const pumps = [
    pumpOutput().catch(notRecorded).finally(queue.end),
    pumpErrors().catch(notRecorded),
  ]
  const result = conclude()

  return {
    runId: job.record.runId,
    dir,
    agent: agent?.id ?? null,
    result,
    stop: (reason = 'by you') => beginStop('user', reason),
    answer: (requestId, answer) => conversation?.answer(requestId, answer) ?? false,
    status,
    [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
  }

  function beginTalk({prompt, ...talk}: Talk): Conversation {
    return beginConversation(prompt, {
      ...talk,
      cwd: job.record.cwd,
      record(text) {
        seen.in += Buffer.byteLength(text)
        writeDown(files.stdin, text)
        timing?.add('in', seen.in)
      },
      onNotice(notice) {
        if (notice.type === 'answered') writeDown(files.answers, describeAnswer(notice.answer))
        void options.onNotice?.(notice)
      },
      // The stream does not tell that somebody has answered.
      onSettled: (requestId) => (state = settleRequest(state, requestId, Date.now())),
    })
  }

  async function pumpOutput(): Promise<void> {
    for await (const chunk of out) {
      seen.out += chunk.length
      clock.moveTo(seen.out)
      lastOutputAt = clock.now()
      if (seen.out > timed.out) timing?.add('out', seen.out)
      await options.onOutput?.(chunk)
      conversation?.overhear(chunk)
      for (const event of decoder?.push(chunk) ?? []) see(event)
      taken.out = seen.out
      if (clock.isLive()) enforce(['cost', 'turns'])
      await queue.room()
    }
    for (const event of decoder?.end() ?? []) see(event)
  }

  async function pumpErrors(): Promise<void> {
    for await (const chunk of err) {
      seen.err += chunk.length
      lastOutputAt = clock.now()
      if (seen.err > timed.err) timing?.add('err', seen.err)
      await options.onStderr?.(chunk)
      stderrTail = (stderrTail + Buffer.from(chunk).toString('utf8')).slice(-8192)
      taken.err = seen.err
    }
  }

  function see(event: AgentEvent): void {
    // The run is watched by one clock, ours; agents may have another.
    state = reduceRunState(state, {...event, at: clock.now()})
    if (event.type === 'tool-start') {
      lastTool = event.summary === '' ? event.name : `${event.name}: ${event.summary}`
    }
    conversation?.hear(event, state)
    queue.push(event)
  }

  function status(): RunStatus {
    const waiting = explainWaiting(state, Date.now(), lastOutputAt)
    const {costUsd, isEstimate} = spent()
    if (isEstimate) estimateUsd = costUsd
    return {state, waiting, startedAt, costUsd, isEstimate, stuck}
  }

  function spent(): Spent {
    return withUnsettled(state.ledger, decoder?.unsettled)
  }

  function tick(): void {
    timing?.flush()
    if (hasEnded || !job.isOwner) return
    timing ??= openTiming(files.timing, notRecorded)
    conversation?.tick(state, Date.now())
    enforce(['linger', 'timeout', 'cost', 'turns', 'silence', 'tool'])
    snapshot()
  }

  function findBreachNow(): Breach | undefined {
    const {costUsd} = spent()
    // Who is behind with reading knows nothing of silence or rest.
    const known = isBehind() ? {...limits, ...NO_REST_LIMITS} : limits
    return findBreach(state, known, {now: Date.now(), startedAt, lastOutputAt, costUsd})
  }

  /** Whether there is more to read than we have seen, as when whoever reads us is slow, or we have just begun. */
  function isBehind(): boolean {
    return sizeOf(files.stdout) > taken.out || sizeOf(files.stderr) > taken.err
  }

  function enforce(causes: Breach['cause'][]): void {
    if (stop !== undefined || hasEnded || !job.isOwner) return
    const breach = findBreachNow()
    const isStuck = breach?.cause === 'silence' || breach?.cause === 'tool'
    if (!isStuck) stuck = undefined
    if (breach === undefined || !causes.includes(breach.cause)) return
    if (!isStuck || onStuck === 'stop') return beginStop(breach.cause, breach.reason)
    const isNews = stuck === undefined
    stuck = {breach, process: inspect()}
    if (!isNews) return
    const waiting = explainWaiting(state, Date.now(), lastOutputAt)
    void options.onNotice?.({type: 'stuck', ...stuck, waiting})
  }

  function beginStop(cause: StopCause, reason: string): void {
    if (hasEnded) return
    if (stop !== undefined) {
      // Whoever says it twice means it.
      if (cause === 'user') force()
      return
    }
    stop = {cause, reason, at: Date.now()}
    void options.onNotice?.({type: 'stopping', cause, reason})
    // Who has done its work is not interrupted in anything.
    send(cause === 'linger' ? 'SIGTERM' : 'SIGINT')
    stopTimers.push(
      setTimeout(() => send('SIGTERM'), Math.min(killAfterMs * 0.6, LONGEST_WAIT_MS)),
      setTimeout(force, Math.min(killAfterMs, LONGEST_WAIT_MS)),
    )
  }

  function send(signal: NodeJS.Signals): void {
    if (hasEnded || stop === undefined) return
    signalGroup(pid, signal)
    const wasForced = signal === 'SIGKILL'
    ending = {signal, afterMs: 0, wasForced}
  }

  function force(): void {
    if (hasEnded || ending?.wasForced === true) return
    void options.onNotice?.({type: 'killing'})
    send('SIGKILL')
  }

  async function conclude(): Promise<RunResult> {
    const {exitCode, signal} = await job.ended
    hasEnded = true
    const endedAt = job.endedAt ?? Date.now()
    if (ending !== undefined && stop !== undefined) ending.afterMs = endedAt - stop.at
    for (const timer of stopTimers) clearTimeout(timer)
    conversation?.close()
    const leftCount = job.isOwner ? await endTheRest() : 0
    out.finish()
    err.finish()
    await Promise.all(pumps)
    clearInterval(ticker)
    await checkDisk()
    if (job.isOwner) freeRoom(dir)
    timing?.close()
    const breach = findBreachNow()
    const isOver = breach?.cause === 'cost' || breach?.cause === 'turns'
    const made = makeResult({
      record,
      dir,
      agent,
      state,
      end: {exitCode, signal},
      stop: isOver && (stop === undefined || stop.cause === 'linger') ? breach : stop,
      ending,
      endedAt,
      spent: spent(),
      estimateUsd,
      lines: decoder?.lineCount ?? 0,
      lastTool,
      lastError: describeError(stderrTail),
      evidence: [
        ...(lostReason === undefined ? [] : [`not all was recorded: ${lostReason}`]),
        ...(leftCount === 0 ? [] : [describeLeft(leftCount)]),
      ],
    })
    if (!job.isOwner) return readOwnersResult(made)
    // The answer is in the output, and where the folder is may change.
    const {text: _text, dir: _dir, ...told} = made
    update({live: undefined, process: undefined, endedAt, result: told})
    return made
  }

  function update(changes: Partial<RunRecord>): void {
    record = {...record, agentVersion: state.agentVersion ?? record.agentVersion, ...changes}
    try {
      writeRunRecord(dir, record)
    } catch (error) {
      notRecorded(error)
    }
  }

  async function endTheRest(): Promise<number> {
    await delay(GRACE_MS)
    return sweep(pid, record.marker)
  }

  /** The one that looked after the run saw its exit code. */
  function readOwnersResult(made: RunResult): RunResult {
    const told = readRunRecord(dir)?.result
    return told === undefined ? made : {...made, ...told}
  }

  function snapshot(): void {
    const now = Date.now()
    if (now - lastSnapshotAt < SNAPSHOT_MS) return
    lastSnapshotAt = now
    const {waiting, costUsd = null, isEstimate} = status()
    const {why, detail, since, until} = waiting
    const isStuck = stuck !== undefined
    const live: LiveRun = {at: now, why, detail, since, until, isStuck, costUsd, isEstimate}
    update({live})
    void checkDisk()
  }

  /** What the agent cannot write we do not see. */
  async function checkDisk(): Promise<void> {
    if (job.isOwner && (await isDiskFull(dir))) notRecorded({code: 'ENOSPC'})
  }

  function writeDown(path: string, text: string): void {
    try {
      append(path, text)
    } catch (error) {
      notRecorded(error)
    }
  }

  function notRecorded(error: unknown): void {
    if (lostReason !== undefined) return
    const {code, message} = error as NodeJS.ErrnoException
    lostReason = code === 'ENOSPC' ? 'the disk was full' : message
    void options.onNotice?.({type: 'not-recorded', reason: lostReason})
  }
}

/** What can only be said of one whose every word was heard. */
const NO_REST_LIMITS = {lingerMs: undefined, silenceMs: undefined, toolTimeoutMs: undefined}

function sizeOf(path: string): number {
  return statSync(path, {throwIfNoEntry: false})?.size ?? 0
}

async function isDiskFull(dir: string): Promise<boolean> {
  try {
    const {blocks, bfree, bavail} = await statfs(dir)
    // A part may be kept for root; and some file systems tell nothing.
    return blocks > 0 && (process.getuid?.() === 0 ? bfree : bavail) === 0
  } catch {
    return false
  }
}

/** Up to which byte pieces go. */
function endOf(pieces: readonly Piece[] | undefined, wanted: PieceKind): number {
  return (pieces ?? []).reduce(
    (most, {kind, end}) => (kind === wanted ? Math.max(most, end) : most),
    0,
  )
}

/** A clock that tells old times while old pieces are read, and then the time. */
function createClock(pieces: readonly Piece[]) {
  const outs = pieces.filter(({kind}) => kind === 'out')
  let next = 0
  return {
    now: (): number => outs[next]?.at ?? Date.now(),
    isLive: () => next >= outs.length,
    moveTo(position: number): void {
      while (next < outs.length && (outs[next]?.end ?? 0) < position) next++
    },
  }
}

/** An answer as it is written down. */
function describeAnswer({request, decision, who, rule, waitedMs}: Answer): string {
  const {requestId, toolId, name} = request
  const {allow} = decision
  const message = decision.allow ? undefined : decision.message
  const at = Date.now()
  return `${JSON.stringify({at, requestId, toolId, name, allow, message, who, rule, waitedMs})}\n`
}

function describeLeft(count: number): string {
  return count === 1
    ? 'one process that was left behind was ended'
    : `${count} processes that were left behind were ended`
}

function withoutUndefined<T extends object>(options: T): Partial<T> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}
