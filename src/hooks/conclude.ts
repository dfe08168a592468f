import {SESSION_KEY} from '../agents/claude-hooks/notices.ts'
import {findAgent} from '../agents/find-agent.ts'
import {createEventDecoder} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {withPendingUsage} from '../core/run/ledger.ts'
import {initialRunState, reduceRunState} from '../core/run/run-state.ts'
import {cutText, escapeControls} from '../core/text/text.ts'
import {recordWithLock} from './session-lock.ts'
import type {AppendedHook} from './append.ts'
import {clearActive} from '../recording/active-runs.ts'
import {measureRecording} from '../recording/completeness.ts'
import {readChunks} from '../recording/read/cursor.ts'
import {readRunRecord, writeRunRecord} from '../recording/run-record-file.ts'
import {recordingAt} from '../recording/recording.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {makeResult} from '../core/run/make-result.ts'

/** Writes the result of an ended session. */
export async function concludeSession({dir, lock, at}: AppendedHook): Promise<void> {
  await recordWithLock(lock, () => {
    const record = readRunRecord(dir)
    // A session ends once: a late payload does not change its result.
    if (record === null || record.result !== undefined) return
    clearActive(dir)
    writeRunRecord(dir, {
      ...record,
      live: undefined,
      session: undefined,
      ...computeResult(dir, record, at),
    })
  })
}

/** Computes the result from all payloads. */
function computeResult(
  dir: string,
  record: RunRecord,
  endedAt: number,
): Pick<RunRecord, 'endedAt' | 'sizes' | 'result'> {
  const agent = findAgent(record.agent ?? '')
  if (agent === null) return {endedAt}
  const decoder = createEventDecoder(agent, {now: () => endedAt})
  let state = initialRunState
  let lastTool = ''
  let ending = ''
  const handleEvent = (event: AgentEvent) => {
    state = reduceRunState(state, event)
    if (event.type === 'tool-start') {
      lastTool = event.summary === '' ? event.name : `${event.name}: ${event.summary}`
    }
    if (event.type === 'status' && event.key === SESSION_KEY) ending = event.detail
  }
  let size = 0
  for (const chunk of readChunks(recordingAt(dir).stdout)) {
    size += chunk.length
    for (const event of decoder.push(chunk)) handleEvent(event)
  }
  for (const event of decoder.end()) handleEvent(event)
  const {
    text: _text,
    dir: _dir,
    ...made
  } = makeResult({
    record,
    dir,
    agent,
    state,
    end: {exitCode: null, signal: null},
    stop: undefined,
    ending: undefined,
    endedAt,
    usage: withPendingUsage(state.ledger, decoder.pendingUsage),
    estimateUsd: undefined,
    lines: decoder.lineCount,
    lastTool,
    lastError: '',
    evidence: [],
    isWatched: false,
  })
  const reason = [made.reason, cutText(escapeControls(ending), MAX_ENDING_LENGTH)].filter(Boolean)
  // A session has no exit code, and reports its end itself; evidence about the process would be wrong.
  const result = {...made, reason: reason.join('; '), evidence: []}
  return {endedAt, sizes: {...measureRecording(dir), stdout: size}, result}
}

const MAX_ENDING_LENGTH = 100
