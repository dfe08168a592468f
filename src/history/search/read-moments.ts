import {findAgent} from '../../agents/find-agent.ts'
import {createEventDecoder} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import type {RecordedRun} from '../../recording/list-runs.ts'
import {walkRecording} from '../../recording/read/recording-walk.ts'
import type {Entry} from '../entries.ts'
import {findSessionAdapter} from '../session-adapter.ts'
import {openSessionEvents} from '../session-events.ts'
import {createMomentCollector, type Moment, type MomentCollector} from './moments.ts'

/**
 * Reads the moments of a run or session as far as it is written, some at once, so that the caller can pause. A file that
 * cannot be read ends it: the history reports that file.
 */
export function* readMoments(entry: Entry): Generator<Moment[]> {
  let moments: Moment[] = []
  const collector = createMomentCollector((moment) => moments.push(moment))
  const take = () => {
    const taken = moments
    moments = []
    return taken
  }
  const {session} = entry
  if (session?.title !== undefined) {
    collector.add('prompt', 'Title', entry.startedAt, session.title)
  }
  try {
    for (const events of readEvents(entry, collector)) {
      for (const event of events) collector.see(event)
      yield take()
    }
  } catch {
    // The part before the error is searchable.
  }
  collector.end()
  yield take()
}

/** A recording by hooks lacks the texts that are in the transcript of the same session. */
function* readEvents(entry: Entry, collector: MomentCollector): Generator<AgentEvent[]> {
  const {run, session, kind} = entry
  if (run !== undefined && (kind === 'run' || session === undefined)) yield* readRun(run, collector)
  else if (session !== undefined) {
    for (const event of openSessionEvents(session).read()) yield [event]
  }
}

/** Reads the output of a run with the times at which it arrived. */
function* readRun({dir, record}: RecordedRun, collector: MomentCollector): Generator<AgentEvent[]> {
  const {prompt, startedAt} = record
  if (prompt !== undefined) collector.add('prompt', 'Prompt', startedAt, prompt)
  const agent =
    record.isTranscript === true
      ? findSessionAdapter(record.agent, dir)
      : findAgent(record.agent ?? '')
  if (agent === null) return
  let clock = startedAt
  let events: AgentEvent[] = []
  const decoder = createEventDecoder(agent, {
    now: () => clock,
    maxLineBytes: record.limits?.maxLineBytes,
  })
  const walk = walkRecording(dir, record, {
    setClock: (at) => (clock = at),
    onOutput: (bytes) => events.push(...decoder.push(bytes)),
    onActivity() {},
    onChunkEnd() {},
    onAnswer() {},
    onFile() {},
    onEnd() {},
  })
  try {
    for (let isMore = true; isMore;) {
      isMore = walk.advance(() => events.length > 0)
      yield events
      events = []
    }
    yield decoder.end()
  } finally {
    walk.closeFiles()
  }
}
