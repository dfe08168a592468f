import type {Draft} from '../../core/events/adapter.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {parseRecord} from '../../core/wire/records.ts'

/** Reads the start of a hook. */
export function readHookStart(record: JsonObject): Draft {
  return {
    type: 'status',
    status: 'hook',
    phase: 'start',
    key: textAt(record, 'hook_id'),
    detail: nameOf(record),
  }
}

/** Reads the end of a hook, with its outcome and output. */
export function readHookEnd(record: JsonObject): Draft {
  const outcome = textAt(record, 'outcome') ?? ''
  const output = (textAt(record, 'stderr') || textAt(record, 'stdout') || '').trim()
  const detail = [`${nameOf(record)} ${outcome}`.trim(), output].filter(Boolean).join(': ')
  const ok = outcome === 'success' ? true : outcome === 'error' ? false : undefined
  return {type: 'status', status: 'hook', phase: 'end', key: textAt(record, 'hook_id'), detail, ok}
}

/** Why a hook stops the turn, from the JSON that it printed; `undefined` when it does not. */
export function readHookDecision(record: JsonObject): string | undefined {
  const printed = parseRecord(textAt(record, 'stdout') ?? '')
  if (printed.type !== 'json' || !isRecord(printed.value)) return undefined
  if (printed.value['continue'] !== false) return undefined
  return describeStop('by a hook', textAt(printed.value, 'stopReason'))
}

/** Why a hook blocked a prompt; `undefined` when none did. */
export function readPromptOutcome(record: JsonObject): string | undefined {
  const {kind} = objectAt(record, 'prompt_submit_outcome')
  const reason = textAt(objectAt(record, 'prompt_submit_outcome'), 'reason')
  if (kind === 'blocked_by_hook') return describeStop('prompt blocked by a hook', reason)
  return kind === 'stopped_by_hook' ? describeStop('by a hook', reason) : undefined
}

/** On one line, for the reason of a verdict. */
function describeStop(what: string, reason = ''): string {
  const line = reason.trim().replaceAll(/\s*\n\s*/g, ' ')
  return line === '' ? what : `${what}: ${line}`
}

function nameOf(record: JsonObject): string {
  return textAt(record, 'hook_name') ?? textAt(record, 'hook_event') ?? ''
}
