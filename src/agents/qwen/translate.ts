import type {Draft, Translator, TranslatorContext} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import {countLines} from '../../core/text/text.ts'
import {numberAt, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {readPermissionRequest} from '../messages-api/permission.ts'
import {readSession} from '../messages-api/session.ts'
import {
  createMessagesTranslator,
  type ResultDetails,
  type ToolResult,
} from '../messages-api/translate.ts'
import {toolKindOf} from './tools.ts'

/** Translates the output of Qwen Code. */
export function createTranslator(context: TranslatorContext): Translator {
  const tasks = new Map<string, string>()
  return createMessagesTranslator(context, {
    toolKind: toolKindOf,
    isCumulative: true,
    inputIncludesCache: true,
    translateOther,
    describeResult,
  })

  function translateOther(record: JsonObject): Draft[] {
    const data = objectAt(record, 'data')
    switch (record['type'] === 'system' ? record['subtype'] : record['type']) {
      case 'init':
        return [readSession(record, 'qwen_code_version')]
      case 'task_started':
        return startTask(data)
      case 'task_notification':
        return endTask(data)
      case 'retry':
        return [
          {
            type: 'status',
            status: 'api-retry',
            detail: textAt(data, 'reason') ?? 'retry',
            attempt: numberAt(data, 'attempt'),
            of: numberAt(data, 'maxRetries'),
            delayMs: numberAt(data, 'delayMs'),
          },
        ]
      case 'model_fallback':
        return [
          {
            type: 'status',
            status: 'model-fallback',
            detail: textAt(data, 'toModel') ?? '',
            model: textAt(data, 'toModel'),
          },
        ]
      case 'session_recording_degraded':
      case 'vision_bridge_failed':
        return reportStatus('warning', data['notice'] ?? data['message'])
      case 'worktree_started':
      case 'vision_routing':
      case 'vision_bridge':
        return reportStatus('notice', data['notice'] ?? data['message'])
      case 'tool_progress':
        return readProgress(record)
      case 'control_request':
        return readPermissionRequest(record)
      case 'control_response':
        return readControlResponse(record)
      default:
        return []
    }
  }

  function startTask(data: JsonObject): Draft[] {
    const taskId = textAt(data, 'task_id')
    if (taskId === undefined) return []
    const description = textAt(data, 'description') ?? ''
    tasks.set(taskId, description)
    return [{type: 'task-start', taskId, toolId: textAt(data, 'tool_use_id'), description}]
  }

  function endTask(data: JsonObject): Draft[] {
    const taskId = textAt(data, 'task_id')
    const status = textAt(data, 'status')
    const description = taskId === undefined ? undefined : tasks.get(taskId)
    // A monitor reports each observation while it runs.
    if (taskId === undefined || description === undefined || status === 'running') return []
    tasks.delete(taskId)
    const ok = status === 'completed'
    return [{type: 'task-end', taskId, toolId: textAt(data, 'tool_use_id'), description, ok}]
  }
}

/** Qwen Code acknowledges an interruption before it stops. */
function readControlResponse(record: JsonObject): Draft[] {
  const answer = objectAt(objectAt(record, 'response'), 'response')
  if (answer['subtype'] !== 'interrupt') return []
  return [{type: 'status', status: 'interrupted', detail: 'interrupted by its caller'}]
}

function readProgress(event: JsonObject): Draft[] {
  const toolId = textAt(event, 'tool_use_id')
  if (toolId === undefined) return []
  const {content} = event
  const text = textAt(content, 'message')
  return [{type: 'tool-update', toolId, text, elapsedMs: numberAt(content, 'elapsedMs')}]
}

function describeResult(output: string, result: ToolResult): ResultDetails {
  const {toolId, failed, tool, wasAsked} = result
  const isRefused = output.startsWith('Qwen Code requires permission to use ')
  const isRejected = wasAsked && output.startsWith('[Operation Cancelled]')
  if (failed && (isRefused || isRejected)) return {denied: true}
  return tool?.tool === 'Bash' ? readReport(output) : {changes: readChange(toolId, tool, output)}
}

/** The result of a command that fails or prints nothing is a report instead of its output. */
export function readReport(output: string): ResultDetails {
  const end = output.lastIndexOf('\nError: ')
  const code = REPORT_END.exec(output.slice(end))?.[1]
  const start = output.indexOf('\nOutput: ')
  if (!output.startsWith('Command: ') || code === undefined || start > end) return {}
  const text = output.slice(start + '\nOutput: '.length, end)
  return {exitCode: Number(code), output: text === '(empty)' ? '' : text}
}

const REPORT_END = /\nExit Code: (\d+)\nSignal: [^\n]*(?:\nProcess Group PGID: [^\n]*)?$/

/** The file that a tool changed, from its input and the text of its result. */
export function readChange(toolId: string, tool: ToolResult['tool'], output: string): Draft[] {
  const path = textAt(tool?.input, 'file_path') ?? textAt(tool?.input, 'notebook_path')
  if (path === undefined || (tool?.tool !== 'Write' && tool?.tool !== 'Edit')) return []
  if (tool.tool === 'Write') {
    const added = countLines(textAt(tool.input, 'content') ?? '')
    const isNew = !output.startsWith('Successfully overwrote')
    return [{type: 'file-change', path, action: isNew ? 'created' : 'modified', toolId, added}]
  }
  const isNew = textAt(tool.input, 'old_string') === '' && output.startsWith('Created new file')
  return [{type: 'file-change', path, action: isNew ? 'created' : 'modified', toolId}]
}
