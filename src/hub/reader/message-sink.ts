import type {RunRemovedMessage} from '../../core/protocol/server-message.ts'
import type {Progress} from '../../core/run/progress.ts'
import type {Bus, LiveMessage} from '../live/bus.ts'
import type {EncodedMessage} from './encode.ts'
import {createLive} from '../live/live-message.ts'
import {describeState} from '../live/state-messages.ts'
import type {RunEntry, Store} from '../index/store.ts'

/** Messages of one run as they were read, in order and without a hole. */
export interface ReadBatch {
  runId: string
  workOrderId: string
  marker: string
  messages: readonly EncodedMessage[]
  /** Those who watch have been told up to here. */
  toldSeq: number
  /** Whether they are of a run that was over before anybody looked. */
  isOld: boolean
}

/** What holds of a run. */
export interface RunNews extends Progress {
  marker: string
  seq: number
  /** When it was looked at. */
  at: number
  isOld: boolean
}

/** Which run is gone: more than its id is needed to tell those who watch. */
export interface RemovalNews {
  workOrderId: string
  marker: string
}

/** Where what is read of recordings goes: into the index, and then to those who watch, so that what they get can be read again. */
export interface Outlet {
  /** Gives messages. */
  pass(batch: ReadBatch): void
  /** Gives what is known of a run; with news, also to those who watch. */
  put(entry: RunEntry, news?: RunNews): void
  /** Takes a run out of the index; with news it is gone for those who watch, too. */
  remove(runId: string, news?: RemovalNews): void
  /** Whether reading should wait for writing: until there is room. */
  readonly isFull: boolean
  room(): Promise<void>
  /** Settles when all that was given is written. */
  settled(): Promise<void>
  /** Forgets everything. */
  clear(): Promise<void>
  listStamps: Store['listStamps']
  listRuns: Store['listRuns']
}

/** An outlet behind which nobody is. */
export const deafOutlet: Outlet = {
  pass() {},
  put() {},
  remove() {},
  isFull: false,
  room: async () => {},
  settled: async () => {},
  clear: async () => {},
  listStamps: async () => [],
  listRuns: async () => ({runs: [], total: 0, isCut: false}),
}

/** The index may be behind by so many messages before reading waits for it. */
const MOST_BACKLOG = 20_000

/** The outlet to an index and a bus. */
export function createOutlet(store: Store, bus: Pick<Bus, 'publish'>): Outlet {
  return {
    pass({runId, workOrderId, marker, messages, toldSeq, isOld}) {
      store.append(runId, messages)
      const untold = messages.filter(({seq}) => seq > toldSeq)
      const live: LiveMessage[] = []
      for (const {type, seq, json, thinking = []} of untold) {
        for (const thought of thinking) live.push(createLive('agent_thinking', seq - 1, thought))
        live.push(createLive(type, seq, json))
      }
      if (live.length > 0) bus.publish({runId, workOrderId, marker, messages: live, isOld})
    },
    put(entry, news) {
      store.putRun(entry)
      if (news === undefined) return
      const {runId, workOrderId, summary} = entry
      const {marker, seq, at, isOld} = news
      const messages = describeState({...entry, ...news}, summary, seq, at)
      bus.publish({runId, workOrderId, marker, messages, isOld})
    },
    remove(runId, news) {
      store.removeRun(runId)
      if (news === undefined) return
      const {workOrderId, marker} = news
      const message: RunRemovedMessage = {type: 'run_removed', runId, workOrderId}
      const removal = createLive(message.type, 0, JSON.stringify(message))
      bus.publish({runId, workOrderId, marker, messages: [], removal})
    },
    get isFull() {
      return store.backlog > MOST_BACKLOG
    },
    room: store.whenDrained,
    settled: store.whenWritten,
    clear: store.clear,
    listStamps: store.listStamps,
    listRuns: store.listRuns,
  }
}
