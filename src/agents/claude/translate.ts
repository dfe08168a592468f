import type {Draft, Translator, TranslatorContext} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import {
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  toText,
  type JsonObject,
} from '../../core/wire/json.ts'
import {
  createMessagesTranslator,
  type ResultDetails,
  type ToolResult,
} from '../messages-api/translate.ts'
import {readFileChanges} from '../messages-api/file-changes.ts'
import {readPermissionRequest} from '../messages-api/permission.ts'
import {readSession} from '../messages-api/session.ts'
import {createTaskPlanReader} from '../messages-api/task-plan.ts'
import {toolKindOf} from '../messages-api/tools.ts'
import {readHookDecision, readHookEnd, readHookStart, readPromptOutcome} from './hooks.ts'
import {createPendingUsage} from './pending-usage.ts'
import {createReportedUsage} from './reported-usage.ts'
import {createWakeUpReader} from './wake-ups.ts'

/** Translates the output of Claude Code, from 0.2 to 2.1. */
export function createTranslator(context: TranslatorContext): Translator {
  const tasks = new Map<string, Task>()
  let backgroundTasks: ReadonlySet<string | undefined> = new Set()
  const readTaskPlan = createTaskPlanReader()
  const pendingUsage = createPendingUsage()
  const reportedUsage = createReportedUsage()
  const wakeUps = createWakeUpReader()
  /** Why a hook blocked the prompt of this turn, and why a hook stopped the turn. */
  let promptStop: string | undefined
  let hookStop: string | undefined
  const {translate} = createMessagesTranslator(context, {
    toolKind: toolKindOf,
    translateOther,
    meter: pendingUsage,
    readUsage: (result) => {
      pendingUsage.clear()
      return reportedUsage.read(result)
    },
    describeResult: (output, result) => {
      const details = describeResult(output, result)
      details.changes?.push(...readTaskPlan(result), ...wakeUps.readResult(result))
      return details
    },
    describeStop(result) {
      const isStopped = textAt(result, 'terminal_reason') === 'hook_stopped'
      const reason = promptStop ?? (isStopped ? (hookStop ?? 'by a hook') : undefined)
      promptStop = undefined
      hookStop = undefined
      return reason
    },
  })
  return {
    translate(record) {
      if (record['type'] === 'user' && !record['parent_tool_use_id']) {
        pendingUsage.addUserMessage(record['message'])
      }
      return translate(record)
    },
    pendingUsage: pendingUsage.pendingUsage,
    subAgentUsage: pendingUsage.subAgentUsage,
  }

  function translateOther(record: JsonObject): Draft[] {
    const {type} = record
    switch (type === 'system' ? (record['subtype'] ?? 'init') : type) {
      case 'init':
        return [readSession(record, 'claude_code_version')]
      case 'api_retry':
        return [readRetry(record)]
      case 'rate_limit_event':
        return [readRateLimit(objectAt(record, 'rate_limit_info'))]
      case 'status':
        return readStatus(record)
      case 'compact_boundary':
        pendingUsage.addCompaction(numberAt(record['compact_metadata'], 'pre_tokens') ?? 0)
        return [
          {type: 'status', status: 'compacting', phase: 'end', detail: readCompaction(record)},
        ]
      case 'model_refusal_no_fallback':
        return notice(
          textAt(record, 'content') || `refused by ${toText(record['original_model'])}`,
          true,
        )
      case 'model_fallback':
      case 'model_refusal_fallback':
        return [
          {
            type: 'status',
            status: 'model-fallback',
            detail: toText(record['content']),
            model: textAt(record, 'fallback_model'),
          },
        ]
      case 'hook_started':
        return [readHookStart(record)]
      case 'hook_response':
        hookStop = readHookDecision(record) ?? hookStop
        return [readHookEnd(record)]
      case 'command_lifecycle':
        return wakeUps.readLifecycle(record)
      case 'informational': {
        const outcome = readPromptOutcome(record)
        promptStop = outcome ?? promptStop
        const detail = outcome?.replace(/^by /, 'stopped by ') ?? record['content']
        return notice(detail, record['level'] === 'warning')
      }
      case 'local_command_output':
        return notice(record['content'], record['level'] === 'warning')
      case 'notification':
        return notice(record['text'])
      case 'vcs_state_changed':
        return notice(['git', record['kind'], record['branch']].filter(Boolean).join(' '))
      case 'conversation_reset':
        reportedUsage.restart()
        return notice('conversation cleared')
      case 'mirror_error':
      case 'auth_status':
        return notice(record['error'], true)
      case 'error':
        return notice(textAt(record['error'], 'message') ?? record['error'], true)
      case 'session_writes_lost':
        return notice('the disk is full: parts of the session were not written', true)
      case 'worker_shutting_down':
        return notice(`shutting down: ${toText(record['reason'])}`)
      case 'tool_progress':
        return readToolProgress(record)
      case 'task_progress':
        return readProgress(record)
      case 'task_started':
      case 'task_updated':
      case 'task_notification':
        meterTask(record)
        return readTask(record)
      case 'background_tasks_changed':
        return readTaskList(record)
      case 'permission_denied':
        return [readDenial(record)]
      case 'control_request':
        return readPermissionRequest(record)
      default:
        return []
    }
  }

  function readToolProgress(record: JsonObject): Draft[] {
    // A heartbeat has an id of its own and the tool's as its parent.
    const own = textAt(record, 'tool_use_id')
    const isOwn = own !== undefined && context.openTool(own) !== undefined
    const toolId = isOwn ? own : (textAt(record, 'parent_tool_use_id') ?? own)
    const seconds = numberAt(record, 'elapsed_time_seconds')
    if (toolId === undefined) return []
    const elapsedMs = seconds === undefined ? undefined : seconds * 1000
    return [{type: 'tool-update', toolId, elapsedMs}]
  }

  /** The only record of a nested sub-agent in the stream. */
  function readProgress(record: JsonObject): Draft[] {
    meterTask(record)
    const toolId = findVisibleTool(textAt(record, 'task_id'), textAt(record, 'tool_use_id'))
    if (toolId === undefined) return []
    const usage = objectAt(record, 'usage')
    const toolCount = numberAt(usage, 'tool_uses')
    return [{type: 'tool-update', toolId, elapsedMs: numberAt(usage, 'duration_ms'), toolCount}]
  }

  function meterTask(record: JsonObject): void {
    const toolId = textAt(record, 'tool_use_id')
    const size = numberAt(record['usage'], 'total_tokens')
    if (toolId !== undefined && size !== undefined) pendingUsage.addSubAgentProgress(toolId, size)
  }

  /** The call of a sub-agent, or of the closest parent whose call is in the stream. */
  function findVisibleTool(
    taskId: string | undefined,
    own: string | undefined,
  ): string | undefined {
    let task = tasks.get(taskId ?? '')
    let toolId = own ?? task?.toolId
    for (let depth = 0; depth < MAX_DEPTH && task !== undefined; depth++) {
      if (toolId !== undefined && context.openTool(toolId) !== undefined) return toolId
      task = tasks.get(task.parentTaskId ?? '')
      toolId = task?.toolId
    }
    return toolId !== undefined && context.openTool(toolId) !== undefined ? toolId : undefined
  }

  function readDenial(record: JsonObject): Draft {
    const toolId = textAt(record, 'tool_use_id')
    return {
      type: 'permission-denied',
      toolId,
      name: textAt(record, 'tool_name') ?? '',
      input: toolId === undefined ? undefined : context.openTool(toolId)?.input,
      reason: textAt(record, 'message') ?? textAt(record, 'decision_reason'),
    }
  }

  /** A sub-agent in the foreground is a tool; only background work is a task. */
  function readTask(record: JsonObject): Draft[] {
    const taskId = textAt(record, 'task_id')
    if (taskId === undefined) return []
    const patch = objectAt(record, 'patch')
    const isNew = record['subtype'] === 'task_started' || patch['is_backgrounded'] === true
    const task = tasks.get(taskId) ?? (isNew ? createTask(record) : undefined)
    // A task may be reported again after its end.
    if (task === undefined) return []
    const drafts: Draft[] = []
    const isBackground =
      (patch['is_backgrounded'] ?? record['is_backgrounded'] ?? backgroundTasks.has(taskId)) ===
      true
    tasks.set(taskId, task)
    if (isBackground && !task.isStarted) {
      task.isStarted = true
      const {toolId, description} = task
      drafts.push({type: 'task-start', taskId, toolId, description})
    }
    const status = patch['status'] ?? record['status']
    if (typeof status === 'string' && OUTCOMES.has(status)) {
      drafts.push(...endTask(taskId, OUTCOMES.get(status)))
    }
    return drafts
  }

  function readTaskList(record: JsonObject): Draft[] {
    const running = new Set(objectsAt(record, 'tasks').map((task) => textAt(task, 'task_id')))
    backgroundTasks = running
    return [...tasks.keys()].flatMap((taskId) =>
      tasks.get(taskId)?.isStarted === true && !running.has(taskId)
        ? endTask(taskId, undefined)
        : [],
    )
  }

  function endTask(taskId: string, ok: boolean | undefined): Draft[] {
    const task = tasks.get(taskId)
    tasks.delete(taskId)
    if (task?.isStarted !== true) return []
    const {toolId, description} = task
    return [{type: 'task-end', taskId, toolId, description, ok}]
  }
}

/** Maximum depth of nested sub-agents. */
const MAX_DEPTH = 16

interface Task {
  description: string
  toolId: string | undefined
  parentTaskId: string | undefined
  /** Whether a `task-start` was emitted, because it runs in the background. */
  isStarted: boolean
}

function createTask(record: JsonObject): Task {
  const description = textAt(record, 'description') || textAt(record, 'workflow_name') || ''
  const parentTaskId = textAt(record, 'parent_task_id')
  return {description, toolId: textAt(record, 'tool_use_id'), parentTaskId, isStarted: false}
}

/** Outcomes of tasks; a stopped task has neither succeeded nor failed. */
const OUTCOMES = new Map<string, boolean | undefined>([
  ['completed', true],
  ['failed', false],
  ['killed', undefined],
  ['stopped', undefined],
])

function readRetry(record: JsonObject): Draft {
  const status = numberAt(record, 'error_status')
  const error = textAt(record, 'error') ?? 'no answer'
  return {
    type: 'status',
    status: 'api-retry',
    detail: status === undefined ? error : `${error} (${status})`,
    attempt: numberAt(record, 'attempt'),
    of: numberAt(record, 'max_retries'),
    delayMs: numberAt(record, 'retry_delay_ms'),
  }
}

function readRateLimit(info: JsonObject): Draft {
  const seconds = numberAt(info, 'resetsAt')
  const used = numberAt(info, 'utilization')
  const window = (textAt(info, 'rateLimitType') ?? 'usage').replaceAll('_', '-')
  const percent = used === undefined ? '' : ` ${Math.round(used * 100)}% used`
  const isBlocking = info['status'] === 'rejected'
  return {
    type: 'status',
    status: 'rate-limit',
    detail: `${window} window${isBlocking ? ' used up' : percent}`,
    until: seconds === undefined ? undefined : seconds * 1000,
    isBlocking,
    usedShare: used,
  }
}

function readStatus(record: JsonObject): Draft[] {
  const error = textAt(record, 'compact_error')
  if (error !== undefined) return notice(`compacting failed: ${error}`, true)
  // The same state again, with the progress of the summary.
  const isProgress = (numberAt(record, 'compact_output_chars') ?? 0) > 0
  if (record['status'] !== 'compacting' || isProgress) return []
  return [{type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'}]
}

function readCompaction(record: JsonObject): string {
  const {trigger, pre_tokens: before, post_tokens: after} = objectAt(record, 'compact_metadata')
  const sizes = [before, after].filter((size) => typeof size === 'number').join(' to ')
  return ['compacted', toText(trigger), sizes && `${sizes} tokens`].filter(Boolean).join(', ')
}

function notice(text: unknown, isWarning = false): Draft[] {
  return reportStatus(isWarning ? 'warning' : 'notice', text)
}

/** Details of a tool result besides its text: the permission decision, the duration and the changed files. */
export function describeResult(output: string, result: ToolResult): ResultDetails {
  const {toolId, failed, tool, line} = result
  const report = line['tool_use_result']
  const details: ResultDetails = {
    denied: failed && isDenied(output, result) ? true : undefined,
    durationMs: numberAt(report, 'durationMs') ?? numberAt(report, 'totalDurationMs'),
    changes: readFileChanges(toolId, tool, report),
  }
  const code = failed && tool?.tool !== 'Read' ? /^Exit code (\d+)/.exec(output)?.[1] : undefined
  if (code !== undefined) details.exitCode = Number(code)
  return details
}

/** The decision is beside the result; old versions have it only in the text. */
function isDenied(output: string, {toolId, line, wasAsked}: ToolResult): boolean {
  const meta = objectsAt(line, 'tool_result_meta').find(({id}) => id === toolId)
  if (objectAt(meta, 'permission_decision')['decision'] === 'reject') return true
  // A call that was stopped while it ran has the same text, but no permission was requested.
  if (wasAsked && (meta?.['non_execution_kind'] !== undefined || REJECTED.test(output))) return true
  return REFUSED.test(output)
}

const REJECTED = /^The user doesn't want to proceed with this tool use\./
const REFUSED =
  /^Claude requested permissions to | was blocked\. For security, Claude Code may only /
