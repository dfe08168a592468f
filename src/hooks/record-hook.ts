import {appendHook, type HookRecordingOptions} from './append.ts'
import {concludeSession} from './conclude.ts'

/**
 * Adds what a hook of Claude Code got on stdin to the recording of its session, which begins with the first of them and is
 * over with `SessionEnd`. Any number of processes may do that at the same time.
 *
 * @throws RunError when it is no such payload, or cannot be written.
 */
export async function recordHook(
  payload: string | Uint8Array,
  options: HookRecordingOptions = {},
): Promise<{runId: string; dir: string}> {
  const appended = await appendHook(payload, options)
  if (appended.isOver) await concludeSession(appended)
  const {runId, dir} = appended
  return {runId, dir}
}
