import type {Draft} from '../../core/events/adapter.ts'
import {failTool} from '../../core/events/drafts.ts'
import {isRecord, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readToolEnd, readToolStart} from './tools.ts'
import {describeStates} from './transcript-agents.ts'
import {readChanges} from './transcript-patch.ts'
import {joinCommand} from './transcript-tools.ts'

/** Converts a finished item of a turn to that in the output of the program; `undefined` for items without a tool. */
export function toOutputItem(item: JsonObject): JsonObject | undefined {
  switch (item['type']) {
    case 'CommandExecution': {
      const {command} = item
      const output = textAt(item, 'aggregated_output')
      return {
        ...item,
        type: 'command_execution',
        command: Array.isArray(command) ? joinCommand(command) : toText(command),
        aggregated_output: output ?? toText(item['stdout']) + toText(item['stderr']),
      }
    }
    case 'McpToolCall': {
      const result = objectAt(item, 'result')
      const {content, structuredContent} = result
      return {
        ...item,
        type: 'mcp_tool_call',
        status: result['isError'] === true ? 'failed' : item['status'],
        result: isRecord(item['result'])
          ? {content, structured_content: structuredContent}
          : undefined,
      }
    }
    case 'CollabAgentToolCall':
      return {
        ...item,
        type: 'collab_tool_call',
        agents_states: describeStates(objectAt(item, 'agents_states')),
      }
    default:
      return undefined
  }
}

/** The start and end of the call of an item. The parser drops a start that is known. */
export function readToolItem(item: JsonObject): Draft[] {
  const start = readToolStart(item)
  return start === undefined ? [] : [start, ...readToolEnd(item, start)]
}

/** The end of a patch, from an item or an event. */
export function readPatchEnd(toolId: string, patch: JsonObject): Draft[] {
  const status = textAt(patch, 'status')
  const output = toText(patch['stdout']) + toText(patch['stderr'])
  const changes = objectAt(patch, 'changes')
  const call = {name: 'apply_patch', input: {paths: Object.keys(changes)}}
  const start: Draft = {type: 'tool-start', toolId, tool: 'Edit', ...call}
  if (patch['success'] !== false && status !== 'failed' && status !== 'declined') {
    return [start, ...readChanges(toolId, changes), {type: 'tool-end', toolId, ok: true, output}]
  }
  const error = output.trim() || (status ?? 'failed')
  const denied = status === 'declined' ? true : undefined
  return [start, ...failTool({toolId, output}, {error, denied}, call)]
}
