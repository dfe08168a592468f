import type {Draft} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import {numberAt, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {readRetry} from './translate.ts'

/** Reads records that every agent of a session can have and that need no state. */
export function readStatus(record: JsonObject): Draft[] {
  switch (record['type']) {
    case 'turn.step.retrying':
      return [
        readRetry({
          status_code: record['statusCode'],
          error_message: record['errorMessage'],
          error_name: record['errorName'],
          failed_attempt: record['failedAttempt'],
          max_attempts: record['maxAttempts'],
          delay_ms: record['delayMs'],
        }),
      ]
    case 'task.started':
    case 'background.task.started':
      return readTask('task-start', objectAt(record, 'info'))
    case 'task.terminated':
    case 'background.task.terminated':
      return readTask('task-end', objectAt(record, 'info'))
    default:
      return []
  }
}

/** Reads records about the conversation of the user. */
export function readMainStatus(record: JsonObject): Draft[] {
  switch (record['type']) {
    case 'full_compaction.begin': {
      const detail = `compacting: ${textAt(record, 'source') ?? 'auto'}`
      return [{type: 'status', status: 'compacting', phase: 'start', detail}]
    }
    case 'context.apply_compaction': {
      const size = numberAt(record, 'tokensBefore')
      const detail = size === undefined ? 'compacted' : `compacted, ${size} tokens`
      return [{type: 'status', status: 'compacting', phase: 'end', detail}]
    }
    case 'full_compaction.cancel':
      return [{type: 'status', status: 'compacting', phase: 'end', detail: 'not compacted'}]
    case 'context.clear':
      return reportStatus('notice', 'context cleared')
    case 'context.undo':
      return reportStatus('notice', `prompts undone: ${numberAt(record, 'count') ?? 1}`)
    case 'goal.create':
      return reportStatus('notice', `goal: ${toText(record['objective'])}`)
    case 'goal.update': {
      const status = textAt(record, 'status')
      if (status === undefined || status === 'active') return []
      const parts = [`goal ${status}`, toText(record['reason'])].filter(Boolean)
      return reportStatus('notice', parts.join(': '))
    }
    default:
      return readStatus(record)
  }
}

function readTask(type: 'task-start' | 'task-end', info: JsonObject): Draft[] {
  const taskId = textAt(info, 'taskId')
  if (taskId === undefined) return []
  const toolId = textAt(info, 'parentToolCallId') ?? textAt(info, 'toolCallId')
  const description = textAt(info, 'description') ?? textAt(info, 'command') ?? ''
  if (type === 'task-start') return [{type, taskId, toolId, description}]
  return [{type, taskId, toolId, description, ok: info['status'] === 'completed'}]
}
