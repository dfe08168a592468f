import {readHistory} from '../history/history.ts'
import type {Session} from '../history/sessions.ts'
import {CliError} from './cli-error.ts'
import {describeReading} from './reading-progress.ts'

/** Ids of sessions, and the start of them. */
const SESSION_ID = /^s[0-9a-f]{3,11}$/

/** The agent's own id of a session, such as a UUID, and the start of it. */
const AGENT_SESSION_ID = /^(?:session_|ses_)?[0-9A-Za-z-]{8,}(?:_[0-9a-z]*)?$/

/** The name of a file or a run would hardly look like this. */
const ONLY_SESSION_ID =
  /^(?:s[0-9a-f]{11}|(?:session_|ses_).*|(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))$/

/**
 * Finds a session by its id, by the id that the agent uses, or by the start of either; `undefined` if there is none.
 *
 * @throws CliError if several sessions match, or none matches what can only be the id of a session.
 */
export async function findSession(
  id: string,
  dataDir: string | undefined,
): Promise<Session | undefined> {
  if (!SESSION_ID.test(id) && !AGENT_SESSION_ID.test(id)) return undefined
  const progress = describeReading()
  const {sessions} = await readHistory({dataDir, onProgress: progress.show})
  progress.clear()
  const exact = sessions.filter((session) => session.id === id || session.sessionId === id)
  const matches =
    exact.length > 0
      ? exact
      : sessions.filter(
          (session) =>
            session.id.startsWith(id) ||
            (AGENT_SESSION_ID.test(id) && session.sessionId.startsWith(id)),
        )
  if (matches.length === 0 && ONLY_SESSION_ID.test(id)) {
    throw new CliError(`session ${id} does not exist. List sessions with: vitrine runs`)
  }
  if (matches.length < 2) return matches[0]
  const shown = matches.slice(0, MAX_SHOWN).map((session) => session.id)
  throw new CliError(
    `session id ${id} is ambiguous: it matches ${shown.join(', ')}${matches.length > MAX_SHOWN ? ', …' : ''}. ` +
      'Give more characters of the id',
  )
}

const MAX_SHOWN = 5
