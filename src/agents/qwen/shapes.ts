// Qwen Code 0.24.4, captured on 2026-11-15, with more from its source.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'

const LINE = 'type uuid session_id parent_tool_use_id'
const SYSTEM = `${LINE} subtype data`

/** Every known line of Qwen Code. */
export const shapes: Shapes = defineShapes({
  ...messageShapes,
  'system/init': `
    type subtype uuid session_id cwd tools mcp_servers{name status} model permission_mode
    slash_commands qwen_code_version agents
  `,
  'system/session_start': SYSTEM,
  'system/session_end': SYSTEM,
  'system/session_recording_degraded': SYSTEM,
  'system/task_started': `${SYSTEM} data{task_id tool_use_id description subagent_type}`,
  'system/task_notification': `${SYSTEM} data{task_id tool_use_id status usage}`,
  'system/model_fallback': `${SYSTEM} data{fromModel toModel statusCode fallbackIndex}`,
  'system/retry': `
    ${SYSTEM} data{reason attempt maxRetries delayMs discardedToolCalls preserveText}
  `,
  'system/worktree_started': SYSTEM,
  'system/worktree_restored': SYSTEM,
  'system/vision_routing': SYSTEM,
  'system/vision_bridge': SYSTEM,
  'system/vision_bridge_failed': SYSTEM,
  assistant: `${LINE} ${MESSAGE}`,
  user: `${LINE} ${MESSAGE} isSynthetic`,
  stream_event: `${LINE} event@stream`,
  'stream@goal_state': 'type goal_state',
  'stream@tool_progress': 'type tool_use_id content',
  result: `
    type subtype uuid session_id is_error duration_ms duration_api_ms num_turns result usage
    permission_denials{tool_name tool_use_id tool_input} error{message type} stats structured_result
  `,
  control_request: 'type request_id request',
  control_response: 'type response',
  control_cancel_request: 'type request_id',
})
