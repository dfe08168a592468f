import {defineShapes, type Shapes} from '../../core/events/shapes.ts'

// Gemini CLI 0.61.0, captured on 2026-11-15.

/** Every line of Gemini CLI. */
export const shapes: Shapes = defineShapes({
  init: 'type timestamp session_id model',
  message: 'type timestamp role content delta',
  tool_use: 'type timestamp tool_name tool_id parameters',
  tool_result: 'type timestamp tool_id status output error{type message}',
  error: 'type timestamp severity message',
  result: `type timestamp status error{type message} stats{
    total_tokens input_tokens output_tokens cached input duration_ms tool_calls models
  }`,
})
