// Qwen Code 0.24.4, captured on 2026-11-16, with more from its source and from that of 0.5 and 0.10.
import {defineShapes, type Shapes, type ShapeTable} from '../../core/events/shapes.ts'
import {objectAt, type JsonObject} from '../../core/wire/json.ts'

/** The kind of a row: its type and subtype, and the name of the event in telemetry. */
export function kindOf(row: JsonObject): string {
  const {type, subtype} = row
  if (typeof type !== 'string') return '(no type)'
  if (subtype === 'ui_telemetry') return `telemetry/${eventNameOf(row) ?? '(no name)'}`
  return typeof subtype === 'string' ? `${type}/${subtype}` : type
}

/** The name of the event in a row of telemetry, such as `api_response`. */
export function eventNameOf(row: JsonObject): string | undefined {
  const name = objectAt(objectAt(row, 'systemPayload'), 'uiEvent')['event.name']
  return typeof name === 'string' ? name.replace('qwen-code.', '') : undefined
}

const ROW = `
  uuid parentUuid sessionId timestamp type subtype provenance cwd version gitBranch backgroundTurn goalContext
  daemonPromptId forkedFrom{sessionId messageUuid} agentId agentName agentColor isSidechain externalInputKind
  systemPayload
`

const MESSAGE = `message{
  role parts{
    text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode
    codeExecutionResult videoMetadata mediaResolution partMetadata toolCall toolResponse
  }
}`

const ANSWER = `
  ${ROW} ${MESSAGE} model contextWindowSize agentRunId agentRound
  usageMetadata{
    promptTokenCount candidatesTokenCount thoughtsTokenCount totalTokenCount cachedContentTokenCount
    toolUsePromptTokenCount promptTokensDetails candidatesTokensDetails cacheTokensDetails
    toolUsePromptTokensDetails trafficType
  }
`

const RESULT = `
  ${ROW} ${MESSAGE} toolCallResult{
    callId status executionStatus resultDisplay responseParts error errorType contentLength outputFile durationMs
    artifacts modelOverride visionBridgeNotice
  }
`

const EVENT = `
  event.name event.timestamp prompt_id response_id model auth_type duration_ms ttft_ms status_code
  subagent_id subagent_name subagent_type subagent_task_name
`

const EVENTS: Readonly<Record<string, string>> = {
  api_response: `
    input_token_count output_token_count cached_content_token_count thoughts_token_count tool_token_count
    total_token_count response_text
  `,
  api_error: 'error error_message error_type',
  tool_call: `
    call_id parent_call_id source function_name function_args status execution_status success decision error error_type
    tool_type mcp_server_name content_length metadata
  `,
  user_feedback: 'rating session_id approval_mode',
}

const SYSTEM = `
  agent_bootstrap agent_launch_prompt agent_retry agent_session_ready at_command attribution_snapshot
  background_task_completed branch_checkpoint chat_compression custom_title file_history_snapshot goal_state
  goal_turn_end omni_recall parent_session rewind session_artifact_event session_artifact_snapshot session_model
  session_source session_sources_snapshot slash_command turn_result user_text_elements
`

/** Every known row of a session of Qwen Code. */
export const shapes: Shapes = defineShapes({
  user: `${ROW} ${MESSAGE}`,
  'user/cron': `${ROW} ${MESSAGE}`,
  'user/goal_runtime': `${ROW} ${MESSAGE}`,
  'user/mid_turn_user_message': `${ROW} ${MESSAGE}`,
  'user/notification': `${ROW} ${MESSAGE}`,
  'user/realtime_message': `${ROW} ${MESSAGE}`,
  assistant: ANSWER,
  'assistant/realtime_message': ANSWER,
  tool_result: RESULT,
  ...defineEach(SYSTEM.trim().split(/\s+/), (name) => [`system/${name}`, ROW]),
  ...defineEach(Object.entries(EVENTS), ([name, fields]) => [
    `telemetry/${name}`,
    `${ROW} systemPayload{uiEvent{${EVENT} ${fields}}}`,
  ]),
})

function defineEach<T>(items: readonly T[], define: (item: T) => [string, string]): ShapeTable {
  return Object.fromEntries(items.map(define))
}
