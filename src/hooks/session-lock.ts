import {acquireLock} from '../recording/lock.ts'
import {toRecordingError} from '../recording/recording.ts'

/** After this time the action runs without the lock: Claude Code waits, and the action is safe but less precise without it. */
const LOCK_TIMEOUT_MS = 3000

/** A lock that is older belongs to a process that was suspended. */
const MAX_LOCK_AGE_MS = 10_000

/** The last action of this process for each lock: within a process, actions run in the order of their calls. */
const queues = new Map<string, Promise<unknown>>()

/**
 * Writes to the recording of a session while no other process that uses the same lock file does.
 *
 * @throws RunError when the lock or the recording cannot be written.
 */
export async function recordWithLock<T>(path: string, action: () => T): Promise<T> {
  const previous = queues.get(path)?.catch(() => {})
  const done = runAfter(previous, path, action)
  queues.set(path, done)
  try {
    return await done
  } catch (error) {
    throw toRecordingError(error)
  } finally {
    if (queues.get(path) === done) queues.delete(path)
  }
}

async function runAfter<T>(
  previous: Promise<unknown> | undefined,
  path: string,
  action: () => T,
): Promise<T> {
  await previous
  const options = {timeoutMs: LOCK_TIMEOUT_MS, maxAgeMs: MAX_LOCK_AGE_MS, waitsForHolder: true}
  const lock = await acquireLock(path, options)
  try {
    return action()
  } finally {
    lock?.release()
  }
}
