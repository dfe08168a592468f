import {statSync} from 'node:fs'
import {join} from 'node:path'
import type {Adapter} from '../../core/events/adapter.ts'
import type {RunMessage} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {maskSecrets, maskSecretsIn} from '../../secrets/mask-secrets.ts'
import {isRecordingComplete} from '../../recording/completeness.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {boundSummary} from './bound-summary.ts'
import {encodeMessages} from './encode.ts'
import type {MessageSink} from './message-sink.ts'
import {summarizeRecord, openRunReader, type RunReader} from '../../replay/message-reader.ts'
import type {RunEntry} from '../index/store.ts'

/** Publishes the data read from recordings. */
export interface RunPublisher {
  /** Opens a recording for reading. */
  open(record: RunRecord): RunReader
  /** Publishes a run before any of it is read. */
  publishInitial(reader: RunReader): void
  /** Publishes an ended run from its record alone. */
  publishEnded(record: RunRecord): void
  /** Publishes the messages after a number. */
  publishMessages(
    reader: RunReader,
    messages: RunMessage[],
    from: {knownSeq: number; isOld: boolean},
  ): void
  /** Publishes the state of a run. */
  publishState(reader: RunReader, isOld?: boolean): void
  /** Keeps the last published number, so that messages are not published twice when all is read again. */
  keepPublishedSeq(reader: RunReader, seq: number): void
  /** Whether messages of a run were published before all was read again. */
  hasPublished(runId: string): boolean
  forget(runId: string): void
}

/** Options of {@link createRunPublisher}. */
export interface RunPublisherOptions {
  runsDir: string
  sink: MessageSink
  findAgent(id: string): Adapter | null
  onError(error: unknown): void
}

/** How many earlier runs of the same work order are considered. */
const MAX_EARLIER_RUNS = 20

/** Creates the publisher for the recordings in a folder. */
export function createRunPublisher({
  runsDir,
  sink,
  findAgent,
  onError,
}: RunPublisherOptions): RunPublisher {
  /** The last published number of each run, before the index was rebuilt. */
  const published = new Map<string, {marker: string; seq: number}>()

  return {
    open(record) {
      const agent = agentOf(record)
      const ground: {earlierMs?: number[]} = {}
      if (record.result === undefined) measureEarlier(record, ground).catch(onError)
      return openRunReader(join(runsDir, record.runId), record, {agent, mask: maskSecrets, ground})
    },
    publishInitial: (reader) =>
      sink.putRun(describe(reader.record, boundSummary(reader.summarize(Date.now())), false)),
    publishEnded: (record) =>
      sink.putRun(describe(record, boundSummary(summarizeRecord(record, agentOf(record))), false)),
    publishMessages(reader, messages, {knownSeq, isOld}) {
      // Thinking has the number of the message before it and belongs to the one after it.
      const isFresh = ({type, seq}: RunMessage) =>
        seq > knownSeq || (type === 'agent_thinking' && seq === knownSeq)
      const fresh = encodeMessages(messages.filter(isFresh))
      if (fresh.length === 0) return
      const {runId, workOrderId, record} = reader
      const {marker} = record
      const publishedSeq = publishedSeqOf(reader)
      sink.append({runId, workOrderId, marker, messages: fresh, publishedSeq: publishedSeq, isOld})
    },
    publishState(reader, isOld = false) {
      const at = Date.now()
      const summary = boundSummary(reader.summarize(at))
      const {percentage, phase, remainingMs} = summary
      const {record, seq, isOver} = reader
      const {marker} = record
      const news = {marker, seq, at, percentage, phase, remainingMs, isOld}
      sink.putRun(describe(record, summary, isOver), news)
    },
    keepPublishedSeq(reader, seq) {
      const {runId, record} = reader
      published.set(runId, {
        marker: record.marker,
        seq: Math.max(seq, reader.seq, publishedSeqOf(reader)),
      })
    },
    hasPublished: (runId) => published.has(runId),
    forget: (runId) => void published.delete(runId),
  }

  function publishedSeqOf({runId, record}: RunReader): number {
    const before = published.get(runId)
    return before?.marker === record.marker ? before.seq : 0
  }

  /** Estimates the duration from earlier runs of the same work order. */
  async function measureEarlier(
    {workOrder, runId}: RunRecord,
    ground: {earlierMs?: number[]},
  ): Promise<void> {
    if (workOrder === undefined) return
    const query = {workOrderId: workOrder.id, state: 'over', limit: MAX_EARLIER_RUNS} as const
    const {runs} = await sink.listRuns(query)
    ground.earlierMs = runs
      .filter((run) => run.runId !== runId && run.verdict === 'succeeded')
      .map(({startedAt, endedAt = startedAt}) => endedAt - startedAt)
  }

  function describe(record: RunRecord, summary: RunSummary, isComplete: boolean): RunEntry {
    const masked = maskSecretsIn(summary)
    const {agent, title, startedAt, endedAt, verdict, costUsd, toolCount} = masked
    const {runId, workOrderId, state} = summary
    return {
      runId,
      workOrderId,
      agent,
      title,
      startedAt,
      endedAt,
      verdict,
      isOver: state === 'over',
      costUsd,
      toolCount,
      summary: JSON.stringify(masked),
      // An incomplete recording gets no stamp, so that it is read again.
      stamp: `${record.marker} ${isComplete ? stampOf(join(runsDir, runId), record) : ''}`,
      isComplete,
    }
  }

  function agentOf({agent}: RunRecord): Adapter | null {
    return agent === null ? null : findAgent(agent)
  }
}

/** The stamp of a recording that was incomplete when it was read. */
export const INCOMPLETE = 'not whole'

/**
 * A stamp that changes with the recording; empty when there is none.
 *
 * @param record - To check whether the recording is complete.
 */
export function stampOf(dir: string, record?: RunRecord): string {
  if (record !== undefined && !isRecordingComplete(dir, record)) return INCOMPLETE
  try {
    const {mtimeMs, size} = statSync(join(dir, 'run.json'))
    return `${mtimeMs} ${size}`
  } catch {
    return ''
  }
}
