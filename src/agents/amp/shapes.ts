// Amp 0.0.1790142911, from the typings of its SDK and its documentation, not captured. 2026-11-15.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'

const LINE = 'type session_id parent_tool_use_id uuid'

/** Every documented line of Amp. */
export const shapes: Shapes = defineShapes({
  ...messageShapes,
  'system/init': 'type subtype cwd session_id tools mcp_servers{name status} model uuid',
  assistant: `${LINE} ${MESSAGE}`,
  user: `${LINE} ${MESSAGE}`,
  result: `
    type subtype session_id uuid duration_ms is_error num_turns result error usage
    permission_denials
  `,
})
