import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'

// Cline CLI 3.0.65, captured on 2026-11-16; other blocks as its sources define them.

/** The kind of a record: the session, the head of its document, or a message with its role. */
export function kindOf({type, role}: JsonObject): string {
  if (type === 'message') return `message/${typeof role === 'string' ? role : '(no role)'}`
  return typeof type === 'string' ? type : '(no type)'
}

const MESSAGE = `
  type id role content@block ts agent sessionId metadata modelInfo{id provider family}
  metrics{inputTokens outputTokens cacheReadTokens cacheWriteTokens cost}
`

/** Every known record of a session. */
export const shapes: Shapes = defineShapes({
  session: `
    type version session_id source pid started_at ended_at exit_code status interactive provider model cwd
    workspace_root team_name enable_tools enable_spawn enable_teams prompt metadata messages_path compaction_path
  `,
  head: `
    type version updated_at agent sessionId taskType system_prompt
    origin{source mode sessionId parentThreadId subagent version}
  `,
  'message/user': MESSAGE,
  'message/assistant': MESSAGE,
  'block@text': 'type text signature',
  'block@thinking': 'type thinking signature call_id details summary',
  'block@redacted_thinking': 'type data call_id',
  'block@tool_use': 'type id call_id name input signature',
  'block@tool_result': 'type tool_use_id name content is_error',
  'block@file': 'type path content source',
  'block@image': 'type data mediaType',
  'block@media': 'type media',
})
