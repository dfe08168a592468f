import {statSync} from 'node:fs'
import {join} from 'node:path'
import type {Adapter} from '../../core/events/adapter.ts'
import type {RunMessage} from '../../core/protocol/server-message.ts'
import type {RunSummary} from '../../core/run/run-summary.ts'
import {maskSecrets, maskSecretsIn} from '../../secrets/mask-secrets.ts'
import {isWhole} from '../../recording/completeness.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import {boundSummary} from './bound-summary.ts'
import {encodeMessages} from './encode.ts'
import type {Outlet} from './message-sink.ts'
import {foreseeRun, openRunReader, type RunReader} from '../../replay/message-reader.ts'
import type {RunEntry} from '../index/store.ts'

/** Gives on what is read of recordings. */
export interface RunGiver {
  /** Opens a recording for reading. */
  open(record: RunRecord): RunReader
  /** Gives what is known of a run before any of it is read. */
  introduce(reader: RunReader): void
  /** The same for one that is over, as far as its record tells. */
  foresee(record: RunRecord): void
  /** Gives messages, those after a number. */
  pass(reader: RunReader, messages: RunMessage[], from: {knownSeq: number; isOld: boolean}): void
  /** Says what holds of a run, to those who watch and to those who come later. */
  tell(reader: RunReader, isOld?: boolean): void
  /** Those who watch a run were told up to a number: they are not told that again when all is read again. */
  remember(reader: RunReader, seq: number): void
  /** Whether somebody was told of a run before all was read again. */
  remembers(runId: string): boolean
  forget(runId: string): void
}

/** What is needed to give on what is read. */
export interface RunGiverOptions {
  runsDir: string
  outlet: Outlet
  findAgent(id: string): Adapter | null
  onError(error: unknown): void
}

/** How many earlier runs of the same work are looked at. */
const MOST_EARLIER = 20

/** Makes what gives on what is read of the recordings in a folder. */
export function createRunGiver({runsDir, outlet, findAgent, onError}: RunGiverOptions): RunGiver {
  /** How far those who watch were told of runs, before the index was made anew. */
  const told = new Map<string, {marker: string; seq: number}>()

  return {
    open(record) {
      const agent = record.agent === null ? null : findAgent(record.agent)
      const ground: {earlierMs?: number[]} = {}
      if (record.result === undefined) measureEarlier(record, ground).catch(onError)
      return openRunReader(join(runsDir, record.runId), record, {agent, mask: maskSecrets, ground})
    },
    introduce: (reader) =>
      outlet.put(describe(reader.record, boundSummary(reader.summarize(Date.now())), false)),
    foresee: (record) => outlet.put(describe(record, boundSummary(foreseeRun(record)), false)),
    pass(reader, messages, {knownSeq, isOld}) {
      // Thinking has the number of the message before it and belongs to the one after it.
      const isFresh = ({type, seq}: RunMessage) =>
        seq > knownSeq || (type === 'agent_thinking' && seq === knownSeq)
      const fresh = encodeMessages(messages.filter(isFresh))
      if (fresh.length === 0) return
      const {runId, workOrderId, record} = reader
      const {marker} = record
      const toldSeq = toldSeqOf(reader)
      outlet.pass({runId, workOrderId, marker, messages: fresh, toldSeq, isOld})
    },
    tell(reader, isOld = false) {
      const at = Date.now()
      const summary = boundSummary(reader.summarize(at))
      const {percentage, phase, remainingMs} = summary
      const {record, seq, isOver} = reader
      const {marker} = record
      const news = {marker, seq, at, percentage, phase, remainingMs, isOld}
      outlet.put(describe(record, summary, isOver), news)
    },
    remember(reader, seq) {
      const {runId, record} = reader
      told.set(runId, {marker: record.marker, seq: Math.max(seq, reader.seq, toldSeqOf(reader))})
    },
    remembers: (runId) => told.has(runId),
    forget: (runId) => void told.delete(runId),
  }

  function toldSeqOf({runId, record}: RunReader): number {
    const before = told.get(runId)
    return before?.marker === record.marker ? before.seq : 0
  }

  /** Work that was done before takes about as long again. */
  async function measureEarlier(
    {workOrder, runId}: RunRecord,
    ground: {earlierMs?: number[]},
  ): Promise<void> {
    if (workOrder === undefined) return
    const query = {workOrderId: workOrder.id, state: 'over', limit: MOST_EARLIER} as const
    const {runs} = await outlet.listRuns(query)
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
      // What is not complete is read again, whatever it looks like.
      stamp: `${record.marker} ${isComplete ? stampOf(join(runsDir, runId), record) : ''}`,
      isComplete,
    }
  }
}

/** Stands for what a recording looks like that lacked something when it was read. */
export const NOT_WHOLE = 'not whole'

/**
 * What a recording looks like now; empty when it is none.
 *
 * @param record - To see whether all is there that it tells of.
 */
export function stampOf(dir: string, record?: RunRecord): string {
  if (record !== undefined && !isWhole(dir, record)) return NOT_WHOLE
  try {
    const {mtimeMs, size} = statSync(join(dir, 'run.json'))
    return `${mtimeMs} ${size}`
  } catch {
    return ''
  }
}
