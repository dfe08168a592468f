import type {JsonObject} from '../../core/wire/json.ts'

/** The kind of a line: its type, or `system/…` with the subtype. */
export function kindOf({type, subtype}: JsonObject): string {
  if (typeof type !== 'string') return '(no type)'
  return type === 'system' ? systemKind(typeof subtype === 'string' ? subtype : 'init') : type
}

/** Cached, because joining strings on every line is the slowest part of finding its kind. */
const systemKinds = new Map<string, string>()

function systemKind(subtype: string): string {
  const kind = systemKinds.get(subtype) ?? `system/${subtype}`
  if (systemKinds.size < 100) systemKinds.set(subtype, kind)
  return kind
}

/**
 * Parts of messages of the Messages API, in the notation of `defineShapes`, for agents that print them like Claude Code.
 */
export const messageShapes: Record<string, string> = {
  // Content blocks.
  'block@text': 'type text citations',
  'block@thinking': 'type thinking signature',
  'block@redacted_thinking': 'type data',
  'block@tool_use': 'type id name input caller',
  'block@tool_result': 'type tool_use_id content@block is_error error',
  'block@server_tool_use': 'type id name input server_name caller',
  'block@mcp_tool_use': 'type id name input server_name caller',
  'block@web_search_tool_result': 'type tool_use_id content is_error caller',
  'block@web_fetch_tool_result': 'type tool_use_id content is_error caller',
  'block@code_execution_tool_result': 'type tool_use_id content is_error caller',
  'block@bash_code_execution_tool_result': 'type tool_use_id content is_error caller',
  'block@text_editor_code_execution_tool_result': 'type tool_use_id content is_error caller',
  'block@tool_search_tool_result': 'type tool_use_id content is_error caller',
  'block@mcp_tool_result': 'type tool_use_id content is_error caller',
  'block@advisor_tool_result': 'type tool_use_id content is_error caller',
  'block@image': 'type source',
  'block@document': 'type source title context citations',
  'block@search_result': 'type source title content citations',
  'block@container_upload': 'type file_id',
  'block@tool_reference': 'type tool_name',
  'block@resource': 'type resource',
  'block@resource_link': 'type uri name title description mimeType annotations',
  'block@compaction': 'type content encrypted_content',
  'block@fallback': 'type from to',
  // Stream events and deltas.
  'stream@message_start': 'type message ttft_ms',
  'stream@message_delta': 'type delta usage context_management',
  'stream@message_stop': 'type',
  'stream@content_block_start': 'type index content_block@block',
  'stream@content_block_delta': 'type index delta@delta',
  'stream@content_block_stop': 'type index',
  'stream@ping': 'type',
  'stream@error': 'type error',
  'delta@text_delta': 'type text',
  'delta@thinking_delta': 'type thinking estimated_tokens',
  'delta@signature_delta': 'type signature',
  'delta@input_json_delta': 'type partial_json',
  'delta@citations_delta': 'type citation',
  'delta@compaction_delta': 'type content encrypted_content',
}

/** A message, with blocks for content. */
export const MESSAGE: string = `message{
  id type role model content@block stop_reason stop_sequence stop_details usage container
  context_management diagnostics
}`
