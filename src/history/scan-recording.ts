import {join} from 'node:path'
import type {Adapter} from '../core/events/adapter.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createRequestTable, type TranscriptFacts} from '../core/events/transcript.ts'
import {reasonOf} from '../recording/describe-errno.ts'
import type {RecordedRun} from '../recording/list-runs.ts'
import {readChunks} from '../recording/read/cursor.ts'
import {createScan, type Scan} from './scan.ts'

/** How much of a live or long run is read to find its session: agents name it in their first lines. */
const MAX_HEAD_BYTES = 256 * 1024
/** Longer output is not read for its usage: a hub has other work, and the result of the run has the sum. */
const MAX_BYTES = 4 * 1024 * 1024

/** Identifies a recording in the store. */
export function keyOfRun({record}: RecordedRun): string {
  return `run:${record.runId}`
}

/** Differs when the recording must be scanned again. */
export function stampOfRun({record}: RecordedRun): string {
  return `${record.marker} ${record.result === undefined ? 'live' : (record.endedAt ?? '')}`
}

/** Reads the sessions and the usage of a run from its recording; of a live or long run only the session. */
export function scanRecording({dir, record}: RecordedRun, agent: Adapter | null): Scan {
  const scan = createScan()
  const {facts} = scan
  if (agent === null) return scan
  const isComplete = record.result !== undefined && (record.sizes?.stdout ?? 0) <= MAX_BYTES
  let clock = record.startedAt
  const decoder = createEventDecoder(agent, {now: () => clock})
  const read = createReader(facts, record.runId)
  try {
    let size = 0
    for (const chunk of readChunks(join(dir, 'stdout'))) {
      for (const event of decoder.push(chunk)) {
        clock = Math.max(clock, event.at)
        read(event)
      }
      size += chunk.length
      if (!isComplete && size >= MAX_HEAD_BYTES) break
    }
    if (!isComplete) {
      facts.requests = []
      return scan
    }
    for (const event of decoder.end()) read(event)
  } catch (error) {
    return {...scan, problem: reasonOf(error)}
  }
  return scan
}

/** The ids of the sessions of a run: it has several after `/clear`. */
export function sessionIdsOf({memory}: Pick<TranscriptFacts, 'memory'>): string[] {
  return Array.isArray(memory) ? memory.filter((id): id is string => typeof id === 'string') : []
}

function createReader(facts: TranscriptFacts, runId: string): (event: AgentEvent) => void {
  const requests = createRequestTable(facts)
  const sessionIds: string[] = []
  facts.memory = sessionIds
  let toolCount = 0
  return (event) => {
    if (event.type === 'session-start') {
      if (event.sessionId !== '' && !sessionIds.includes(event.sessionId)) {
        sessionIds.push(event.sessionId)
      }
      facts.model = event.model ?? facts.model
    } else if (event.type === 'tool-start') toolCount++
    else if (event.type === 'usage') {
      const {at, tokens, costUsd, model = facts.model} = event
      const key = `${runId} ${facts.requests.length}`
      requests.add({key, at, model, tokens, costUsd})
      const added = facts.requests.at(-1)
      if (added !== undefined) added.toolCount = toolCount
      toolCount = 0
    }
  }
}
