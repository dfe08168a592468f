import type {Draft} from '../../core/events/adapter.ts'
import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** Reads a permission request from a `control_request` line. */
export function readPermissionRequest(record: JsonObject): Draft[] {
  const request = objectAt(record, 'request')
  if (request['subtype'] !== 'can_use_tool') return []
  return [
    {
      type: 'permission-request',
      requestId: textAt(record, 'request_id'),
      toolId: textAt(request, 'tool_use_id'),
      name: textAt(request, 'tool_name') ?? '',
      input: request['input'],
      reason: textAt(request, 'decision_reason') ?? textAt(request, 'description'),
    },
  ]
}
