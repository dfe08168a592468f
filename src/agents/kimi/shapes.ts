import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'

// Kimi Code 2.1.0, captured on 2026-11-15, and the older Python program `kimi --print`.

/** The kind of a line: its role, `meta/…` with the type, or the type when there is no role. */
export function kindOf({role, type}: JsonObject): string {
  const name = typeof type === 'string' ? type : '(no type)'
  if (role === 'meta') return `meta/${name}`
  return typeof role === 'string' ? role : name
}

/** Every line of Kimi Code. */
export const shapes: Shapes = defineShapes({
  assistant: `role content@content tool_calls{type id function{name arguments} extras} reasoning_content
    name partial`,
  tool: 'role tool_call_id content name',
  user: 'role content name',
  system: 'role content name',
  'meta/system.version': 'role type version',
  'meta/turn.step.retrying': `role type failed_attempt next_attempt max_attempts delay_ms error_name
    error_message status_code`,
  'meta/session.resume_hint': 'role type session_id command content',
  'goal.summary': 'type goalId status reason turnsUsed tokensUsed wallClockMs',
  // The older program may print a message in parts.
  'content@text': 'type text',
  'content@think': 'type think encrypted',
  'content@image_url': 'type image_url',
  'content@audio_url': 'type audio_url',
  'content@video_url': 'type video_url',
})
