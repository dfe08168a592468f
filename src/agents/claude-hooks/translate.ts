import {
  reportIncomplete,
  type Draft,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {readTodos, reportPrompt} from '../../core/events/drafts.ts'
import {numberAt, objectsAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createTranscriptTranslator} from '../claude/transcript-translate.ts'
import {outputText} from '../messages-api/content.ts'
import {readFileChanges} from '../messages-api/file-changes.ts'
import {createTaskPlanReader} from '../messages-api/task-plan.ts'
import {toolKindOf} from '../messages-api/tools.ts'
import {errorText} from '../messages-api/translate.ts'
import {readNotice} from './notices.ts'
import {readOutput} from './tool-output.ts'
import {createHookTexts} from './text.ts'
import {createSubAgents} from './sub-agents.ts'

/** A tool that was called and has not ended. */
interface Call {
  name: string
  input: unknown
  /** The sub-agent that called it. */
  agentId: string | undefined
  /** Whether a permission was requested for it. */
  wasAsked: boolean
  /** Whether a `permission-denied` was emitted. */
  isDenied: boolean
  /** Whether its process was seen, so that it was allowed. */
  isRunning: boolean
}

/** Translates payloads of hooks and rows of the transcript. */
export function createTranslator(context: TranslatorContext): Translator {
  const calls = new Map<string, Call>()
  const subAgents = createSubAgents()
  const texts = createHookTexts()
  const readTaskPlan = createTaskPlanReader()
  /** From the start of a session, also of the one after a compaction. */
  let model: string | undefined
  /** Only the transcript has it. */
  let agentVersion: string | undefined
  let isInterrupted = false
  const transcript = createTranscriptTranslator(context)

  return {translate, pendingUsage: () => transcript.pendingUsage?.()}

  function translate(payload: JsonObject): Draft[] {
    switch (payload['hook_event_name']) {
      case undefined:
        return payload['vitrine'] === undefined ? readRow(payload) : readProcess(payload)
      case 'SessionStart':
        return startSession(payload)
      case 'UserPromptSubmit':
        return startTurn(payload)
      case 'MessageDisplay':
        return texts.readDisplay(payload, subAgents.callOf(payload))
      case 'PreToolUse':
        return startTool(payload)
      case 'PostToolUse':
        return endTool(payload)
      case 'PostToolUseFailure':
        return failTool(payload)
      case 'PostToolBatch':
        return objectsAt(payload, 'tool_calls').flatMap(endDenied)
      case 'PermissionRequest':
        return readRequest(payload)
      case 'PermissionDenied':
        return readDenial(payload)
      case 'Stop':
        return endTurn(payload, true)
      case 'StopFailure':
        return endTurn(payload, false)
      case 'SubagentStart':
        return subAgents.start(payload, [...calls])
      case 'SubagentStop':
        return endSubAgent(payload, true)
      case 'PostModelSwitch':
        model = textAt(payload, 'to_model') ?? model
        return readNotice(payload)
      default:
        return readNotice(payload)
    }
  }

  function startSession(payload: JsonObject): Draft[] {
    model = textAt(payload, 'model') ?? model
    const {source} = payload
    // After a compaction the state stays; the next prompt reports the model.
    if (source === 'compact') return []
    const isRestart = source === 'startup' || source === 'resume'
    if (isRestart) calls.clear()
    return [{...describeSession(payload), isRestart, isIdle: true}]
  }

  /** A prompt is a `session-start` too: the session is not idle any more. */
  function startTurn(payload: JsonObject): Draft[] {
    texts.startTurn()
    isInterrupted = false
    const prompt = reportPrompt(textAt(payload, 'prompt') ?? '')
    return [{...describeSession(payload), isIdle: false}, ...prompt]
  }

  function describeSession(payload: JsonObject): Draft & {type: 'session-start'} {
    return {
      type: 'session-start',
      sessionId: textAt(payload, 'session_id') ?? '',
      model,
      cwd: textAt(payload, 'cwd'),
      agentVersion,
      permissionMode: textAt(payload, 'permission_mode'),
    }
  }

  function startTool(payload: JsonObject): Draft[] {
    const toolId = textAt(payload, 'tool_use_id')
    if (toolId === undefined) return [incomplete(payload)]
    const name = textAt(payload, 'tool_name') ?? ''
    const input = payload['tool_input']
    const agentId = textAt(payload, 'agent_id')
    if (!calls.has(toolId)) {
      calls.set(toolId, {name, input, agentId, wasAsked: false, isDenied: false, isRunning: false})
    }
    const parentToolId = subAgents.callOf(payload)
    return [{type: 'tool-start', toolId, name, tool: toolKindOf(name), input, parentToolId}]
  }

  function endTool(payload: JsonObject): Draft[] {
    const toolId = textAt(payload, 'tool_use_id')
    if (toolId === undefined) return [incomplete(payload)]
    const {tool_input: input, tool_response: response} = payload
    const name = textAt(payload, 'tool_name') ?? ''
    const tool = toolKindOf(name)
    // Payloads may arrive in any order; the parser drops a repeated start.
    const start = startTool(payload)
    calls.delete(toolId)
    const call = {name, tool, input}
    return [
      ...start,
      ...readFileChanges(toolId, call, response),
      ...(tool === 'Todo' ? readTodos(input) : []),
      ...readTaskPlan({tool: call, line: {tool_use_result: response}}),
      {
        type: 'tool-end',
        toolId,
        ok: true,
        output: readOutput(tool, response),
        durationMs: numberAt(payload, 'duration_ms'),
      },
    ]
  }

  function failTool(payload: JsonObject): Draft[] {
    const toolId = textAt(payload, 'tool_use_id')
    if (toolId === undefined) return [incomplete(payload)]
    const start = startTool(payload)
    calls.delete(toolId)
    const error = toText(payload['error'])
    const isShell = toolKindOf(textAt(payload, 'tool_name') ?? '') === 'Bash'
    const code = isShell ? /^Exit code (\d+)/.exec(error)?.[1] : undefined
    const end: Draft = {type: 'tool-end', toolId, ok: false, output: error, error: reasonOf(error)}
    if (code !== undefined) end.exitCode = Number(code)
    end.durationMs = numberAt(payload, 'duration_ms')
    if (payload['is_interrupt'] !== true) return [...start, end]
    return [...start, end, ...interrupt()]
  }

  /** A hook and the transcript may both report it. */
  function interrupt(): Draft[] {
    if (isInterrupted) return []
    isInterrupted = true
    const detail = 'request interrupted by the user'
    return [...endCallsOf(undefined), {type: 'status', status: 'interrupted', detail}]
  }

  /** A row of the transcript, for facts that hooks do not report: usage, thinking, denials and interruptions. */
  function readRow(row: JsonObject): Draft[] {
    agentVersion ??= textAt(row, 'version')
    const drafts = transcript.translate(row)
    const isMain = row['isSidechain'] !== true
    return drafts.flatMap((draft): Draft[] => {
      // Payloads have no time of their own, so all events get the time of arrival.
      draft.at = undefined
      switch (draft.type) {
        case 'usage':
        case 'unknown':
          return [draft]
        case 'text':
        case 'text-delta':
          return isMain ? texts.readRow(draft, row['isAbortedMidStream'] === true) : []
        case 'thinking':
        case 'thinking-delta':
          return isMain ? [draft] : []
        case 'status':
          if (draft.status === 'interrupted') return isMain ? interrupt() : []
          return draft.status === 'api-retry' ? [draft] : []
        case 'tool-end':
          return endByRow(draft)
        case 'permission-denied': {
          const call = calls.get(draft.toolId ?? '')
          return call === undefined || call.isDenied || call.isRunning ? [] : [draft]
        }
        default:
          return []
      }
    })
  }

  function endByRow(end: Draft & {type: 'tool-end'}): Draft[] {
    const call = calls.get(end.toolId)
    if (call === undefined) return []
    calls.delete(end.toolId)
    // A call that is interrupted while it runs has the text of a denied one.
    return [call.isRunning ? {...end, denied: undefined} : end]
  }

  /** Neither hooks nor rows report a granted permission; the process of a command shows it. */
  function readProcess(record: JsonObject): Draft[] {
    const started = textAt(record, 'command') ?? ''
    const found = [...calls].find(([, {name, input, wasAsked}]) => {
      const command = textAt(input, 'command')
      return wasAsked && name === 'Bash' && command !== undefined && isProcessOf(started, command)
    })
    if (found === undefined) return []
    const [toolId, call] = found
    call.isRunning = true
    return [{type: 'tool-update', toolId}]
  }

  /** A call without a result did not run: only the batch reports it. */
  function endDenied(batched: JsonObject): Draft[] {
    const toolId = textAt(batched, 'tool_use_id')
    if (toolId === undefined) return [reportIncomplete('PostToolBatch call without tool_use_id')]
    const call = calls.get(toolId)
    if (call === undefined || context.openTool(toolId) === undefined) return []
    calls.delete(toolId)
    const output = outputText(batched['tool_response'])
    const end: Draft = {type: 'tool-end', toolId, ok: false, output, error: reasonOf(output)}
    if (!call.wasAsked && !call.isDenied && !REFUSED.test(output)) return [end]
    end.denied = true
    if (call.isDenied) return [end]
    const {name, input} = call
    return [{type: 'permission-denied', toolId, name, input, reason: end.error}, end]
  }

  /** Finds the call of a request, which does not name it. */
  function readRequest(payload: JsonObject): Draft[] {
    const name = textAt(payload, 'tool_name') ?? ''
    const input = payload['tool_input']
    const wanted = toText(input)
    const toolId =
      textAt(payload, 'tool_use_id') ??
      [...calls].find(
        ([, call]) => !call.wasAsked && call.name === name && toText(call.input) === wanted,
      )?.[0]
    const call = calls.get(toolId ?? '')
    if (call !== undefined) call.wasAsked = true
    return [{type: 'permission-request', toolId, name, input}]
  }

  function readDenial(payload: JsonObject): Draft[] {
    const toolId = textAt(payload, 'tool_use_id')
    const call = calls.get(toolId ?? '')
    if (call?.isDenied === true) return []
    if (call !== undefined) call.isDenied = true
    const name = textAt(payload, 'tool_name') ?? ''
    const reason = textAt(payload, 'reason')
    return [{type: 'permission-denied', toolId, name, input: payload['tool_input'], reason}]
  }

  function endTurn(payload: JsonObject, ok: boolean): Draft[] {
    // A sub-agent has no turn of its own.
    if (textAt(payload, 'agent_id') !== undefined) return endSubAgent(payload, ok)
    const text = textAt(payload, 'last_assistant_message') ?? ''
    const drafts = [...texts.endTurn(text), ...endCallsOf(undefined)]
    if (ok) return [...drafts, {type: 'turn-end', ok, text}]
    const error = textAt(payload, 'error')
    const why = textAt(payload, 'error_details') || text || error || 'no reason given'
    return [...drafts, {type: 'turn-end', ok, subtype: error, text, errors: [why], reason: error}]
  }

  function endSubAgent(payload: JsonObject, ok: boolean): Draft[] {
    return [...endCallsOf(textAt(payload, 'agent_id') ?? ''), ...subAgents.end(payload, ok)]
  }

  /** Ends the open calls of an agent that ended: they were stopped. */
  function endCallsOf(agentId: string | undefined): Draft[] {
    return [...calls].flatMap(([toolId, call]): Draft[] => {
      if (call.agentId !== agentId) return []
      calls.delete(toolId)
      const end = {type: 'tool-end', toolId, ok: false, output: ''} as const
      if (call.isDenied) return [{...end, error: 'denied', denied: true}]
      return [{...end, error: 'no result reported', unfinished: true}]
    })
  }
}

function incomplete(payload: JsonObject): Draft {
  return reportIncomplete(`${textAt(payload, 'hook_event_name') ?? 'hook'} without tool_use_id`)
}

/** Whether a process runs a command, which Claude Code quotes. */
function isProcessOf(started: string, command: string): boolean {
  return started.includes(command.replaceAll("'", `'"'"'`))
}

const REFUSED =
  /^Claude requested permissions to | was blocked\. For security, Claude Code may only |^The user doesn't want to proceed with this tool use\./

function reasonOf(output: string): string {
  return errorText(output) || 'no reason given'
}
