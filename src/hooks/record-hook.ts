import {appendHook, type HookRecordingOptions} from './append.ts'
import {concludeSession} from './conclude.ts'

/**
 * Appends a payload of a Claude Code hook to the recording of its session, which starts with the first payload and
 * ends with `SessionEnd`. Any number of processes may call it concurrently.
 *
 * @throws RunError when the payload is invalid or cannot be written.
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
