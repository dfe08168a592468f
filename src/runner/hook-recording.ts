import {appendHook, type HookRecordingOptions} from './hook-append.ts'
import {concludeSession} from './hook-conclusion.ts'

/**
 * Adds what a hook of Claude Code got on stdin to the recording of its session, which begins with the first of them and is
 * over with `SessionEnd`. Any number of processes may do that at the same time.
 *
 * @throws RunError when it is no such payload, or cannot be written.
 */
export function recordHook(
  payload: string | Uint8Array,
  options: HookRecordingOptions = {},
): {runId: string; dir: string} {
  const appended = appendHook(payload, options)
  if (appended.isOver) concludeSession(appended)
  const {runId, dir} = appended
  return {runId, dir}
}
