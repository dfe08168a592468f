import {dirname} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import type {Adapter, StderrStatus} from '../core/events/adapter.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {withPendingUsage, type Usage} from '../core/run/ledger.ts'
import {findBreach, type Breach, type Limits} from '../core/run/limits.ts'
import type {ProcessEnd, RunResult} from '../core/run/run-result.ts'
import {
  changeFileOnDisk,
  initialRunState,
  reduceRunState,
  resolveRequest,
  type RunState,
} from '../core/run/run-state.ts'
import {explainWaiting, type Waiting} from '../core/run/waiting.ts'
import {createLineDecoder} from '../core/wire/lines.ts'
import type {AgentRun, Notice, RunStatus, SuperviseOptions} from './agent-run.ts'
import {createRecorder} from './recorder.ts'
import {createBudgetWatch} from './budget-watch.ts'
import {createClock} from './clock.ts'
import {openControlChannel, type ControlChannel, type ControlOptions} from './control-channel.ts'
import {describeError} from './describe-error.ts'
import {describeDiagnosis} from './describe-process.ts'
import {followFile} from '../recording/read/follow-file.ts'
import type {Answer} from './permission-broker.ts'
import {createInspector, endRemainingProcesses} from './process.ts'
import {createSignReader} from './process-signs.ts'
import {createQueue} from './queue.ts'
import {createOverlapCheck} from '../recording/active-runs.ts'
import {sizeOf} from '../recording/completeness.ts'
import {readFileChanges} from '../recording/file-change.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {createArrivalTimes} from '../recording/read/arrival-times.ts'
import {readTiming} from '../recording/timing.ts'
import {makeResult} from '../core/run/make-result.ts'
import {createStopper, type Stop} from './stopper.ts'
import type {FileWatcher} from './watch-files.ts'

/** A run to supervise. */
export interface Job {
  dir: string
  record: RunRecord
  agent: Adapter | null
  pid: number
  ended: Promise<ProcessEnd>
  /** Whether this process stops and records the run or only follows it; a takeover changes it. */
  readonly isOwner: boolean
  /** When the run ended, if it ended earlier. */
  endedAt?: number | undefined
  /** Set when the agent asks for permissions. */
  channel?: ChannelOptions | undefined
}

interface ChannelOptions extends Pick<ControlOptions, 'control' | 'permissions' | 'stdin'> {
  prompt: string
}

const DEFAULTS = {silenceMs: 600_000, lingerMs: 10_000, killAfterMs: 5000}
const TICK_MS = 200
/** Output in flight when a process exits arrives within this time. */
const EXIT_GRACE_MS = 100
const SNAPSHOT_INTERVAL_MS = 2000
/** CPU use is measured over this time. */
const INSPECT_INTERVAL_MS = 1000
/** A longer gap between two ticks means that the machine was suspended. */
const SUSPEND_THRESHOLD_MS = 10_000
const MAX_STDERR_TAIL_LENGTH = 8192

/** Supervises a run from the start of its process to its result. */
export function supervise(job: Job, options: SuperviseOptions): AgentRun {
  const {dir, agent, pid} = job
  const {startedAt, runId, cwd, marker} = job.record
  const {killAfterMs = DEFAULTS.killAfterMs, onStuck = 'warn'} = options
  const limits: Limits = {...DEFAULTS, ...omitUndefined(options)}
  const files = recordingAt(dir)
  // An earlier supervisor may have recorded part of the run.
  const recorded = readTiming(files.timing)
  const clock = createClock(recorded, startedAt)
  const decoder =
    agent === null
      ? null
      : createEventDecoder(agent, {now: clock.now, maxLineBytes: options.maxLineBytes})
  const queue = createQueue<AgentEvent>()
  const out = followFile(files.stdout)
  const err = followFile(files.stderr)
  const inspect = createInspector(pid)
  const watchBudget = createBudgetWatch(agent, limits.maxCostUsd, (reason) =>
    notify({type: 'budget-in-doubt', reason}),
  )
  const signReader = createSignReader({pid, marker}, files)
  const recorder = createRecorder(
    dir,
    job.record,
    () => job.isOwner,
    // The caller needs the run before its first notice.
    (reason) => queueMicrotask(() => notify({type: 'not-recorded', reason})),
    clock.time,
  )
  const stopper = createStopper(pid, {
    killAfterMs,
    now: clock.time,
    onStopping(stop) {
      waitingAtStop = status().waiting
      notify({type: 'stopping', ...stop})
    },
    onKilling: () => notify({type: 'killing'}),
  })
  /** Bytes with a recorded arrival time. */
  const bytesTimed = {
    out: createArrivalTimes(recorded, 'out').last?.end ?? 0,
    err: createArrivalTimes(recorded, 'err').last?.end ?? 0,
  }
  const bytesRead = {out: 0, err: 0}
  const bytesProcessed = {out: 0, err: 0}
  // An earlier supervisor may have recorded file changes.
  let state = readFileChanges(files.files).reduce<RunState>(changeFileOnDisk, {
    ...initialRunState,
    cwd,
    activity: {...initialRunState.activity, since: startedAt},
  })
  let lastOutputAt = Math.max(startedAt, clock.time())
  let lastTool = ''
  let stderrTail = ''
  let stuck: RunStatus['stuck']
  let isStuckReported = false
  let inspectedAt = 0
  let waitingAtStop: Waiting | undefined
  /** The last estimate of the cost, from before the agent reported it. */
  let estimateUsd: number | undefined
  let lastSnapshotAt = 0
  let lastTickAt = clock.time()
  let hasEnded = false
  const controlChannel = job.channel && openChannel(job.channel)
  const errorLines = createLineDecoder(readErrorLine)
  let isWatched = job.record.isWatched === true
  const watching =
    job.isOwner && job.record.isWatched === true ? watchFolder().catch(reportUnwatched) : undefined
  const ticker = setInterval(tick, TICK_MS)
  const pumps = [
    pumpOutput().catch(recorder.reportFailure).finally(queue.end),
    pumpErrors().catch(recorder.reportFailure),
  ]

  return {
    runId,
    dir,
    agent: agent?.id ?? null,
    result: conclude(),
    stop: (reason = 'by you') => stopper.begin('user', reason),
    answer: (requestId, answer, who) => controlChannel?.answer(requestId, answer, who) ?? false,
    status,
    [Symbol.asyncIterator]: () => queue[Symbol.asyncIterator](),
  }

  function notify(notice: Notice): void {
    void options.onNotice?.(notice)
  }

  function openChannel({prompt, ...channel}: ChannelOptions): ControlChannel {
    return openControlChannel(prompt, {
      ...channel,
      cwd,
      record: (text) => recorder.append('in', text),
      onNotice(notice) {
        if (notice.type === 'answered') {
          recorder.append('answer', formatAnswer(notice.answer, clock.time()))
        }
        notify(notice)
        if (notice.type === 'asked') return
        // The stream does not contain the answer.
        const {requestId = ''} = notice.type === 'answered' ? notice.answer.request : notice
        state = resolveRequest(state, requestId, clock.time())
      },
    })
  }

  /** Imported only after the agent was started, to start it sooner. */
  async function watchFolder(): Promise<FileWatcher> {
    const {watchFiles} = await import('./watch-files.ts')
    const runs = dirname(dir)
    return watchFiles(cwd, {
      exclude: [runs, dirname(runs)],
      isContested: createOverlapCheck(dir, cwd),
      // The agent may change files before the watch starts; a recording with changes already has them.
      since: sizeOf(files.files) === 0 ? startedAt : undefined,
      onChange(change) {
        recorder.append('file', `${JSON.stringify(change)}\n`)
        state = changeFileOnDisk(state, change)
      },
      onLimit(reason) {
        isWatched = false
        notify({type: 'not-watched', reason})
      },
    })
  }

  /** The run continues with the file changes that tools report. */
  function reportUnwatched(error: unknown): undefined {
    isWatched = false
    notify({type: 'not-watched', reason: (error as Error).message})
  }

  async function pumpOutput(): Promise<void> {
    for await (const chunk of out) {
      bytesRead.out += chunk.length
      clock.moveTo(bytesRead.out)
      lastOutputAt = clock.now()
      if (bytesRead.out > bytesTimed.out) recorder.recordTime('out', bytesRead.out)
      await options.onOutput?.(chunk)
      controlChannel?.onChunk(chunk)
      for (const event of decoder?.push(chunk) ?? []) handleEvent(event)
      bytesProcessed.out = bytesRead.out
      if (clock.isLive()) enforce(findOverspending())
      await queue.drain()
    }
    for (const event of decoder?.end() ?? []) handleEvent(event)
  }

  async function pumpErrors(): Promise<void> {
    for await (const chunk of err) {
      bytesRead.err += chunk.length
      lastOutputAt = clock.now()
      if (bytesRead.err > bytesTimed.err) recorder.recordTime('err', bytesRead.err)
      await options.onStderr?.(chunk)
      stderrTail = (stderrTail + Buffer.from(chunk).toString('utf8')).slice(-MAX_STDERR_TAIL_LENGTH)
      if (agent?.readStderr !== undefined && bytesRead.err > bytesTimed.err) errorLines.push(chunk)
      bytesProcessed.err = bytesRead.err
    }
  }

  /** A retry that only stderr reports changes the state of the run without an event. */
  function readErrorLine(line: string): string {
    const found = agent?.readStderr?.(line)
    if (found !== undefined && agent !== null) applyStatus(agent.id, found)
    return ''
  }

  function applyStatus(id: string, {delayMs, ...found}: StderrStatus): void {
    const at = clock.time()
    const until = delayMs === undefined ? undefined : at + delayMs
    const event = {type: 'status', line: state.lastLine, at, agent: id, until, ...found} as const
    state = reduceRunState(state, event)
  }

  function handleEvent(event: AgentEvent): void {
    // The clock of the agent may differ from ours.
    state = reduceRunState(state, {...event, at: clock.now()})
    if (event.type === 'tool-start') {
      lastTool = event.summary === '' ? event.name : `${event.name}: ${event.summary}`
    }
    // Earlier changes are already in the recording.
    if (event.type === 'file-change' && bytesRead.out > bytesTimed.out) {
      void watching?.then((watcher) => watcher?.addToolChange(event))
    }
    controlChannel?.onEvent(event)
    watchBudget(event)
    queue.push(event)
  }

  function status(): RunStatus {
    const waiting = explainWaiting(state, clock.time(), lastOutputAt, signReader.signs)
    const {costUsd, isEstimate} = currentUsage()
    if (isEstimate) estimateUsd = costUsd
    const {maxCostUsd, lingerMs} = limits
    return {state, waiting, startedAt, costUsd, isEstimate, maxCostUsd, lingerMs, stuck}
  }

  function currentUsage(): Usage {
    return withPendingUsage(state.ledger, decoder?.pendingUsage)
  }

  function tick(): void {
    recorder.flush()
    const now = clock.time()
    // The time that the machine was suspended does not count as silence.
    if (now - lastTickAt > SUSPEND_THRESHOLD_MS) lastOutputAt += now - lastTickAt
    lastTickAt = now
    if (hasEnded) return
    if (stopper.stop === undefined) {
      const wasSuspended = signReader.signs.suspendedAt !== undefined
      signReader.read(state, now)
      // Neither does the time that the agent was suspended.
      if (wasSuspended && signReader.signs.suspendedAt === undefined) lastOutputAt = now
    }
    if (!job.isOwner) return
    controlChannel?.tick(status().waiting, now)
    const breach = findBreachOf(isBehind() ? {...limits, ...NO_IDLE_LIMITS} : limits)
    if (breach?.cause !== 'silence' && breach?.cause !== 'tool') {
      stuck = undefined
      isStuckReported = false
    }
    enforce(breach)
    snapshot()
  }

  function enforce(breach: Breach | undefined): void {
    if (breach === undefined || stopper.stop !== undefined || hasEnded || !job.isOwner) return
    const isStuck = breach.cause === 'silence' || breach.cause === 'tool'
    if (!isStuck) return stopper.begin(breach.cause, breach.reason)
    const now = clock.time()
    if (stuck !== undefined && now - inspectedAt < INSPECT_INTERVAL_MS) return
    // CPU use needs two measurements, so the first one is not reported.
    const isFirst = stuck === undefined
    inspectedAt = now
    stuck = {breach, process: inspect()}
    if (isFirst || isStuckReported) return
    isStuckReported = true
    const isStopping = onStuck === 'stop'
    notify({type: 'stuck', ...stuck, waiting: status().waiting, isStopping})
    if (isStopping) stopper.begin(breach.cause, breach.reason)
  }

  function findBreachOf(known: Limits): Breach | undefined {
    const {costUsd} = currentUsage()
    const {signs} = signReader
    return findBreach(state, known, {now: clock.time(), startedAt, lastOutputAt, costUsd, signs})
  }

  /** Limits that any event may exceed; cheap to check, without file access. */
  function findOverspending(): Breach | undefined {
    const {maxCostUsd, maxTurns} = limits
    return findBreachOf({maxCostUsd, maxTurns})
  }

  /** Whether output is unprocessed, because the consumer is slow or the run was attached just now. */
  function isBehind(): boolean {
    return sizeOf(files.stdout) > bytesProcessed.out || sizeOf(files.stderr) > bytesProcessed.err
  }

  /** Writes the current state to `run.json` for lists of runs. */
  function snapshot(): void {
    const now = clock.time()
    if (now - lastSnapshotAt < SNAPSHOT_INTERVAL_MS) return
    lastSnapshotAt = now
    const {waiting, costUsd = null, isEstimate} = status()
    const live = {...waiting, at: now, isStuck: stuck !== undefined, costUsd, isEstimate}
    recorder.update({live, ...pickAgentVersion()})
    void recorder.checkDisk()
  }

  function pickAgentVersion(): Pick<RunRecord, 'agentVersion'> {
    return {agentVersion: state.agentVersion ?? job.record.agentVersion}
  }

  async function conclude(): Promise<RunResult> {
    const end = await job.ended
    hasEnded = true
    const endedAt = Math.max(startedAt, job.endedAt ?? clock.time())
    const ending = stopper.finish(endedAt)
    controlChannel?.close()
    const leftCount = job.isOwner ? await endProcesses() : 0
    out.finish()
    err.finish()
    await Promise.all(pumps)
    clearInterval(ticker)
    await (await watching)?.close()
    await recorder.checkDisk()
    const {lostReason} = recorder
    const made = makeResult({
      record: job.record,
      dir,
      agent,
      state,
      end,
      stop: findStop(),
      ending,
      endedAt,
      usage: currentUsage(),
      estimateUsd,
      lines: decoder?.lineCount ?? 0,
      lastTool,
      lastError: describeError(stderrTail),
      waitingAtStop,
      evidence: [
        ...(stuck === undefined || waitingAtStop === undefined
          ? []
          : [describeDiagnosis(stuck.process, waitingAtStop)]),
        ...(lostReason === undefined ? [] : [`recording incomplete: ${lostReason}`]),
        ...(leftCount === 0 ? [] : [describeLeft(leftCount)]),
      ],
      isWatched,
    })
    if (!job.isOwner) return readOwnersResult(made)
    // The text is in the output, and the directory may move.
    const {text: _text, dir: _dir, ...result} = made
    recorder.close({live: undefined, process: undefined, endedAt, result, ...pickAgentVersion()})
    return made
  }

  async function endProcesses(): Promise<number> {
    await delay(EXIT_GRACE_MS)
    return endRemainingProcesses(pid, marker)
  }

  /** The reason why the run was stopped, or would have been if it had not ended first. */
  function findStop(): Stop | undefined {
    const {stop} = stopper
    if (stop !== undefined && stop.cause !== 'linger') return stop
    return findOverspending() ?? stop
  }

  /** Only the supervisor knows the exit code. */
  function readOwnersResult(made: RunResult): RunResult {
    const owned = readRunRecord(dir)?.result
    return owned === undefined ? made : {...made, ...owned}
  }
}

/** Idle limits apply only when all output was processed. */
const NO_IDLE_LIMITS = {lingerMs: undefined, silenceMs: undefined, toolTimeoutMs: undefined}

/** Formats an answer as a line of the recording. */
function formatAnswer({request, decision, who, rule, waitedMs}: Answer, at: number): string {
  const {requestId, toolId, name} = request
  const {allow} = decision
  const message = decision.allow ? undefined : decision.message
  const {input, answers} = decision.allow ? decision : {}
  return `${JSON.stringify({at, requestId, toolId, name, allow, input, answers, message, who, rule, waitedMs})}\n`
}

function describeLeft(count: number): string {
  return count === 1
    ? '1 leftover process was terminated'
    : `${count} leftover processes were terminated`
}

function omitUndefined<T extends object>(options: T): Partial<T> {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<T>
}
