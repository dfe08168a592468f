// Cursor CLI, from its documentation of 2026, not captured. 2026-11-15.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'

/** The kind of a line: its type, with the subtype where it matters. */
export function kindOf({type, subtype}: JsonObject): string {
  if (typeof type !== 'string') return '(no type)'
  const hasSubtype = type === 'system' || type === 'tool_call' || type === 'thinking'
  return hasSubtype && typeof subtype === 'string' ? `${type}/${subtype}` : type
}

const LINE = 'type session_id model_call_id timestamp_ms'

/** Every documented line of Cursor. */
export const shapes: Shapes = defineShapes({
  ...messageShapes,
  'system/init': 'type subtype apiKeySource cwd session_id model permissionMode',
  user: `${LINE} ${MESSAGE}`,
  assistant: `${LINE} ${MESSAGE}`,
  'thinking/delta': `${LINE} subtype text`,
  'thinking/completed': `${LINE} subtype`,
  'tool_call/started': `${LINE} subtype call_id tool_call`,
  'tool_call/completed': `${LINE} subtype call_id tool_call`,
  result: `
    type subtype duration_ms duration_api_ms is_error result session_id request_id usage
  `,
})
