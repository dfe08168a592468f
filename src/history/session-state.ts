import type {Session} from './sessions.ts'

/** The state of a session: being written, waiting for a prompt, or left. */
export type SessionState = 'live' | 'idle' | 'ended'

/** A session that was written this recently is live, even if the last record ends a turn. */
const LIVE_MS = 10_000
/** In the middle of a turn, a tool or a long answer may take this long. */
const TURN_MS = 10 * 60_000
/** Without a record for this long, a session has probably ended. */
const IDLE_MS = 60 * 60_000
/** Files that were written this long after their last record were copied or restored. */
const COPIED_MS = 24 * 60 * 60_000

/** The state of a session, by the time when its files were last written: agents record no end. */
export function stateOfSession(
  {writtenAt, endedAt, isTurnOver}: Pick<Session, 'writtenAt' | 'endedAt' | 'isTurnOver'>,
  now: number,
): SessionState {
  const age = now - writtenAt
  if (age < LIVE_MS) return 'live'
  if (writtenAt - endedAt > COPIED_MS) return 'ended'
  if (age < TURN_MS && !isTurnOver) return 'live'
  return age < IDLE_MS ? 'idle' : 'ended'
}
