import type {RunRemovedMessage} from '../../core/protocol/server-message.ts'
import type {Progress} from '../../core/run/progress.ts'
import type {Bus, LiveMessage} from '../live/bus.ts'
import type {EncodedMessage} from './encode.ts'
import {createLive} from '../live/live-message.ts'
import {createStateMessages} from '../live/state-messages.ts'
import type {RunEntry, Store} from '../index/store.ts'

/** Messages of one run as they were read, in order and without gaps. */
export interface ReadBatch {
  runId: string
  workOrderId: string
  marker: string
  messages: readonly EncodedMessage[]
  /** Messages up to this number were already published. */
  publishedSeq: number
  /** Whether the run had ended before it was found. */
  isOld: boolean
}

/** The current state of a run. */
export interface RunStateUpdate extends Progress {
  marker: string
  seq: number
  /** When the state was computed. */
  at: number
  isOld: boolean
}

/** A removed run: subscribers need more than its id. */
export interface RunRemoval {
  workOrderId: string
  marker: string
}

/**
 * Receives the data read from recordings: writes it to the index first, then publishes it, so that it can be read
 * again.
 */
export interface MessageSink {
  /** Adds messages. */
  append(batch: ReadBatch): void
  /** Stores a run; with an update, also publishes its state. */
  putRun(entry: RunEntry, news?: RunStateUpdate): void
  /** Removes a run from the index; with a removal, also publishes that. */
  removeRun(runId: string, news?: RunRemoval): void
  /** Backpressure: whether reading should wait for `whenDrained`. */
  readonly isFull: boolean
  whenDrained(): Promise<void>
  /** Resolves when everything is written. */
  whenWritten(): Promise<void>
  /** Removes everything. */
  clear(): Promise<void>
  listStamps: Store['listStamps']
  listRuns: Store['listRuns']
}

/** Discards everything. */
export const nullSink: MessageSink = {
  append() {},
  putRun() {},
  removeRun() {},
  isFull: false,
  whenDrained: async () => {},
  whenWritten: async () => {},
  clear: async () => {},
  listStamps: async () => [],
  listRuns: async () => ({runs: [], total: 0, isCut: false}),
}

/** How many messages the index may lag behind before reading waits. */
const MAX_BACKLOG = 20_000

/** Creates the sink for an index and a bus. */
export function createMessageSink(store: Store, bus: Pick<Bus, 'publish'>): MessageSink {
  return {
    append({runId, workOrderId, marker, messages, publishedSeq, isOld}) {
      store.append(runId, messages)
      const untold = messages.filter(({seq}) => seq > publishedSeq)
      const live: LiveMessage[] = []
      for (const {type, seq, json, thinking = []} of untold) {
        for (const thought of thinking) live.push(createLive('agent_thinking', seq - 1, thought))
        live.push(createLive(type, seq, json))
      }
      if (live.length > 0) bus.publish({runId, workOrderId, marker, messages: live, isOld})
    },
    putRun(entry, news) {
      store.putRun(entry)
      if (news === undefined) return
      const {runId, workOrderId, summary} = entry
      const {marker, seq, at, isOld} = news
      const messages = createStateMessages({...entry, ...news}, summary, seq, at)
      bus.publish({runId, workOrderId, marker, messages, isOld})
    },
    removeRun(runId, news) {
      store.removeRun(runId)
      if (news === undefined) return
      const {workOrderId, marker} = news
      const message: RunRemovedMessage = {type: 'run_removed', runId, workOrderId}
      const removal = createLive(message.type, 0, JSON.stringify(message))
      bus.publish({runId, workOrderId, marker, messages: [], removal})
    },
    get isFull() {
      return store.backlog > MAX_BACKLOG
    },
    whenDrained: store.whenDrained,
    whenWritten: store.whenWritten,
    clear: store.clear,
    listStamps: store.listStamps,
    listRuns: store.listRuns,
  }
}
