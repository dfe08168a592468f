import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** The prompt in a part of a prompt; `undefined` for a part that OpenCode added. */
export function promptOf(part: JsonObject): string | undefined {
  if (part['type'] === 'subtask') return textAt(part, 'prompt')?.trim() || undefined
  if (part['type'] !== 'text' || part['synthetic'] === true || part['ignored'] === true) {
    return undefined
  }
  const text = (textAt(part, 'text') ?? '').trim()
  // `opencode run` quotes arguments with spaces.
  return (/^"([^"]*)"$/.exec(text)?.[1] ?? text) || undefined
}

/** Whether a tool was called: before that, the model is writing its input. */
export function isStarted(part: JsonObject): boolean {
  return objectAt(part, 'state')['status'] !== 'pending'
}

/** Whether a tool was interrupted. */
export function isInterrupted(part: JsonObject): boolean {
  const state = objectAt(part, 'state')
  if (state['status'] !== 'error') return false
  return (
    objectAt(state, 'metadata')['interrupted'] === true ||
    textAt(state, 'error') === 'Tool execution aborted'
  )
}
