import {defineShapes, type Shapes} from '../../core/events/shapes.ts'

// Pi 0.73.1, captured on 2026-11-15.

/** Fields of the messages of all roles. */
export const MESSAGE = `{
  role content@block timestamp
  api provider model responseModel responseId diagnostics stopReason errorMessage
  usage{input output cacheRead cacheWrite totalTokens cost{input output cacheRead cacheWrite total}}
  toolCallId toolName details isError
  command output exitCode cancelled truncated fullOutputPath excludeFromContext
  customType display summary fromId tokensBefore
}`

/** Content of messages and results. */
export const CONTENT = {
  'block@text': 'type text textSignature',
  'block@thinking': 'type thinking thinkingSignature redacted',
  'block@image': 'type data mimeType',
  'block@toolCall': 'type id name arguments thoughtSignature partialArgs partialJson streamIndex',
}

/** Every known line of Pi. */
export const shapes: Shapes = defineShapes({
  ...CONTENT,
  session: 'type version id timestamp cwd parentSession',
  agent_start: 'type',
  agent_end: `type messages${MESSAGE}`,
  turn_start: 'type',
  turn_end: `type message${MESSAGE} toolResults${MESSAGE}`,
  message_start: `type message${MESSAGE}`,
  // It contains the message so far twice; the message is checked when it is complete.
  message_update: 'type message assistantMessageEvent@update',
  message_end: `type message${MESSAGE}`,
  tool_execution_start: 'type toolCallId toolName args',
  tool_execution_update: 'type toolCallId toolName args partialResult',
  tool_execution_end: 'type toolCallId toolName result{content@block details terminate} isError',
  queue_update: 'type steering followUp',
  compaction_start: 'type reason',
  compaction_end: `
    type reason aborted willRetry errorMessage
    result{summary firstKeptEntryId tokensBefore details}
  `,
  session_info_changed: 'type name',
  thinking_level_changed: 'type level',
  auto_retry_start: 'type attempt maxAttempts delayMs errorMessage',
  auto_retry_end: 'type success attempt finalError',
  // Updates of a message.
  'update@start': 'type partial',
  'update@text_start': 'type contentIndex partial',
  'update@text_delta': 'type contentIndex delta partial',
  'update@text_end': 'type contentIndex content partial',
  'update@thinking_start': 'type contentIndex partial',
  'update@thinking_delta': 'type contentIndex delta partial',
  'update@thinking_end': 'type contentIndex content partial',
  'update@toolcall_start': 'type contentIndex partial',
  'update@toolcall_delta': 'type contentIndex delta partial',
  'update@toolcall_end': 'type contentIndex toolCall partial',
  'update@done': 'type reason message',
  'update@error': 'type reason error',
})
