import {statSync} from 'node:fs'
import {join} from 'node:path'
import type {Adapter} from '../../core/events/adapter.ts'
import type {RunRemovedMessage} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {findSessionAdapter} from '../../history/session-adapter.ts'
import {isRecordingComplete} from '../../recording/completeness.ts'
import {findRecordingDir} from '../../recording/list-runs.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {openRunReader, type ReadRun, type RunReader} from '../../replay/run-reader.ts'
import {summarizeRecord} from '../../replay/summarize-record.ts'
import {maskSecrets, maskSecretsIn} from '../../secrets/mask-secrets.ts'
import type {RunIndex} from '../index/run-index.ts'
import type {RunEntry} from '../index/store.ts'
import {encodeStateMessages} from '../live/state-messages.ts'
import {boundSummary} from './bound-summary.ts'
import {encodeItem, encodeMessages} from './encode.ts'
import type {EncodedMessage, MessageSink} from './message-sink.ts'

/** Writes the data read from recordings to the index, then publishes it. */
export type RunPublisher = ReturnType<typeof createRunPublisher>

/** The facts of a run that subscribers need besides its id. */
export interface RunOwner {
  workOrderId: string
  marker: string
}

/** The last published message of each live run, by run id. */
export type PublishedSeqs = Map<string, {marker: string; seq: number}>

/** Options of {@link createRunPublisher}. */
export interface RunPublisherOptions {
  dataDir: string
  index: RunIndex
  sink: MessageSink
  findAgent(id: string): Adapter | null
  /** Kept across restarts of the thread and of the index, so that no message is published twice. */
  published?: PublishedSeqs | undefined
  /** Adds facts to a summary that are not in the recording. */
  complete?: ((summary: RunSummary) => RunSummary) | undefined
  /** Called when a run has new items, or is gone. */
  onItems?: ((runId: string) => void) | undefined
}

/** How many earlier runs of the same work order are considered. */
const MAX_EARLIER_RUNS = 20

/** Creates the publisher for the recordings in a data folder. */
export function createRunPublisher(options: RunPublisherOptions) {
  const {dataDir, index, sink, findAgent, published = new Map(), onItems = () => {}} = options
  const {complete = (summary) => summary} = options
  const dirOf = (runId: string) => findRecordingDir(dataDir, runId)

  return {
    /** Opens a recording for reading. */
    open(record: RunRecord): RunReader {
      const earlierMs = record.result === undefined ? measureEarlier(record) : undefined
      const agent =
        record.isTranscript === true
          ? findSessionAdapter(record.agent, dirOf(record.runId))
          : agentOf(record)
      const setup = {agent, mask: maskSecrets, ground: {earlierMs}}
      return openRunReader(dirOf(record.runId), record, setup)
    },
    /** Adds a run before any of it is read. */
    addInitial: (reader: RunReader) =>
      index.putRun(describe(reader.record.marker, summarize(reader, Date.now()), '')),
    /** Adds an ended run from its record alone. */
    addEnded: (record: RunRecord) =>
      index.putRun(
        describe(
          record.marker,
          boundSummary(complete(summarizeRecord(record, agentOf(record)))),
          '',
        ),
      ),
    /**
     * Puts a session into the list, and publishes that unless the session is old.
     *
     * @param stamp - Of its files, if the index has all of it.
     */
    putSummary(given: RunSummary, stamp: string, isOld: boolean): void {
      const summary = boundSummary(complete(given))
      const {runId, workOrderId} = summary
      const entry = {...describe('', summary, ''), stamp, isComplete: stamp !== ''}
      index.putRun(entry)
      if (isOld) return
      const seq = index.headOf(runId)?.lastSeq ?? 0
      const messages = encodeStateMessages(summary, entry.summary, seq, Date.now())
      sink.publish({runId, workOrderId, marker: '', messages})
    },
    /**
     * Adds facts that became known after the end of a run to its summary, and publishes it unless that is old.
     *
     * @returns Whether the run has ended.
     */
    refreshSummary(runId: string, isOld: boolean): boolean {
      const row = index.getRun(runId)
      if (row === null) return false
      const before = JSON.parse(row.summary) as RunSummary
      if (before.state !== 'over') return false
      const summary = boundSummary(complete(before))
      const {stamp, isComplete} = row
      const entry = {...describe('', summary, ''), stamp, isComplete}
      if (entry.summary === row.summary) return true
      index.putRun(entry)
      if (isOld) return true
      const {workOrderId} = summary
      const [marker = ''] = stamp.split(' ')
      const messages = encodeStateMessages(summary, entry.summary, row.lastSeq, Date.now())
      sink.publish({runId, workOrderId, marker, messages})
      return true
    },
    /** Adds the new items and messages, and publishes the messages unless the run is old. */
    publish(reader: RunReader, {items, messages}: ReadRun, isOld: boolean): void {
      const {runId, workOrderId, record} = reader
      const {marker} = record
      const {lastItem = 0, lastSeq = 0} = index.headOf(runId) ?? {}
      const freshItems = items.filter(({item}) => item.n > lastItem).map(encodeItem)
      // Thinking has the number of the message before it and belongs to the one after it.
      const fresh = encodeMessages(
        messages.filter(({type, seq}) =>
          type === 'agent_thinking' ? seq >= lastSeq : seq > lastSeq,
        ),
      )
      if (freshItems.length === 0 && fresh.length === 0) return
      index.append(runId, freshItems, fresh)
      if (freshItems.length > 0) onItems(runId)
      const before = publishedSeqOf(runId, marker)
      const news = isOld ? [] : fresh.filter(({seq}) => seq > before)
      if (news.length === 0) return
      published.set(runId, {marker, seq: news.at(-1)?.seq ?? before})
      const live: EncodedMessage[] = []
      for (const {type, seq, json, thinking = []} of news) {
        for (const thought of thinking)
          live.push({type: 'agent_thinking', seq: seq - 1, json: thought})
        live.push({type, seq, json})
      }
      sink.publish({runId, workOrderId, marker, messages: live})
    },
    /** Publishes the state of a run. */
    publishState(reader: RunReader, isOld = false): void {
      const at = Date.now()
      const summary = summarize(reader, at)
      const {record, seq, isOver, runId, workOrderId} = reader
      const isComplete = isOver || isCompletelyImported(reader)
      const stamp = isComplete ? stampOf(dirOf(runId), record) : ''
      const entry = {...describe(record.marker, summary, stamp), isComplete}
      index.putRun(entry)
      const messages = encodeStateMessages(summary, entry.summary, seq, at)
      sink.publish({runId, workOrderId, marker: record.marker, messages, isOld})
      if (isOver) onItems(runId)
    },
    /** Removes a run; publishes that if its work order and marker are known. */
    remove(runId: string, known?: RunOwner): void {
      index.removeRun(runId)
      onItems(runId)
      if (known === undefined) return
      const {workOrderId, marker} = known
      const message: RunRemovedMessage = {type: 'run_removed', runId, workOrderId}
      const removal = {type: message.type, seq: 0, json: JSON.stringify(message)}
      sink.publish({runId, workOrderId, marker, messages: [], removal})
    },
    /** Whether messages of a run were published, and not its end. */
    hasPublished: (runId: string) => published.has(runId),
    forget: (runId: string) => published.delete(runId),
  }

  function publishedSeqOf(runId: string, marker: string): number {
    const before = published.get(runId)
    return before?.marker === marker ? before.seq : 0
  }

  /** The durations of earlier runs of the same work order, which estimate that of this one. */
  function measureEarlier({workOrder, runId}: RunRecord): number[] | undefined {
    if (workOrder === undefined) return undefined
    const query = {workOrderId: workOrder.id, state: 'over', limit: MAX_EARLIER_RUNS} as const
    const {runs} = index.listRuns(query)
    return runs
      .filter((run) => run.runId !== runId && run.verdict === 'succeeded')
      .map(({startedAt, endedAt = startedAt}) => endedAt - startedAt)
  }

  function summarize(reader: RunReader, at: number): RunSummary {
    return boundSummary(complete(reader.summarize(at)))
  }

  /**
   * Describes a run for the index.
   *
   * @param stamp - Of its recording, if the index has all of it: otherwise it is read again.
   */
  function describe(marker: string, summary: RunSummary, stamp: string): RunEntry {
    const masked = maskSecretsIn(summary)
    const {agent, title, cwd, startedAt, endedAt, verdict, costUsd, isEstimate, toolCount} = masked
    const {runId, kind, workOrderId, state, requests} = summary
    return {
      runId,
      workOrderId,
      kind,
      agent,
      cwd,
      title,
      startedAt,
      endedAt,
      verdict,
      isOver: state === 'over',
      isWaiting: requests.length > 0,
      costUsd,
      isEstimate,
      toolCount,
      summary: JSON.stringify(masked),
      stamp: `${marker} ${stamp}`,
      isComplete: false,
    }
  }

  function agentOf({agent}: RunRecord): Adapter | null {
    return agent === null ? null : findAgent(agent)
  }
}

/** Whether a recording is all of a session of another machine, which has no result. */
export function isImported({isTranscript, host, endedAt}: RunRecord): boolean {
  return isTranscript === true && host !== undefined && endedAt !== undefined
}

/** Whether all of a session of another machine has arrived and was read. */
export function isCompletelyImported({record, bytesRead}: RunReader): boolean {
  return isImported(record) && bytesRead >= (record.sizes?.stdout ?? Infinity)
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
