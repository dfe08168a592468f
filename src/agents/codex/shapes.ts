// Codex CLI 0.166.0, captured on 2026-11-15, with more from its binary and the source of 0.150.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {isRecord, type JsonObject} from '../../core/wire/json.ts'
import {legacyShapes} from './legacy/shapes.ts'

/** The kind of a line: its type, or a name of ours in parentheses for lines of old versions without one. */
export function kindOf(record: JsonObject): string {
  const {type} = record
  if (typeof type === 'string') return type.startsWith('(') ? `type ${type}` : type
  if (isRecord(record['msg'])) return '(event)'
  if ('workdir' in record) return '(config)'
  return Object.keys(record).length === 1 && 'prompt' in record ? '(prompt)' : '(no type)'
}

const TOKENS = `input_tokens cached_input_tokens cache_write_input_tokens output_tokens
  reasoning_output_tokens`

/** Every known line of Codex, versions before 0.42 included. */
export const shapes: Shapes = defineShapes({
  ...legacyShapes,
  'thread.started': 'type thread_id',
  'turn.started': 'type',
  'turn.completed': `type usage{${TOKENS}}`,
  'turn.failed': 'type error{message}',
  'item.started': 'type item@item',
  'item.updated': 'type item@item',
  'item.completed': 'type item@item',
  error: 'type message',

  'item@agent_message': 'id type text',
  'item@reasoning': 'id type text',
  'item@command_execution': 'id type command aggregated_output exit_code status',
  'item@file_change': 'id type changes{path kind} status',
  'item@mcp_tool_call': `id type server tool arguments status
    result{content structured_content _meta} error{message}`,
  'item@collab_tool_call': `id type tool sender_thread_id receiver_thread_ids prompt
    agents_states status`,
  'item@web_search': 'id type query action{type query queries url pattern} results',
  'item@todo_list': 'id type items{text completed}',
  'item@error': 'id type message',
})
