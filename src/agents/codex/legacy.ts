import type {Draft, TranslatorContext} from '../../core/events/adapter.ts'
import {createSpeechFolder} from '../../core/events/deduplicate-text.ts'
import {readPlan} from '../../core/events/plan.ts'
import {isRecord, objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createLegacyToolReader} from './legacy-tools.ts'
import {plainError, readTrouble} from './trouble.ts'
import {createUsageCounter} from './usage.ts'

/** Reads the lines that Codex printed before 0.42. */
export interface LegacyTranslator {
  read(record: JsonObject): Draft[]
  end(): Draft[]
}

/**
 * Makes a translator. These versions do not say that a turn is over: it is when the model has answered
 * without calling a tool, or when an error is the last that was heard.
 */
export function createLegacyTranslator(context: TranslatorContext): LegacyTranslator {
  const tools = createLegacyToolReader(context)
  const speech = createSpeechFolder()
  const usage = createUsageCounter()
  let config: JsonObject = {}
  let answer = ''
  /** Whether the answer that the model is giving has called a tool. */
  let hasCalled = false
  let isRunning = false
  let outcome: 'going-on' | 'answered' | {error: string} = 'going-on'

  return {
    read(record) {
      if ('msg' in record) return readMessage(objectAt(record, 'msg'))
      return 'workdir' in record ? start(record) : []
    },
    end: () => [...tools.end(), ...endTurn()],
  }

  function endTurn(): Draft[] {
    if (outcome === 'going-on') return []
    if (outcome === 'answered') return [{type: 'turn-end', ok: true, text: answer}]
    return [{type: 'turn-end', ok: false, text: answer, errors: [outcome.error]}]
  }

  function start(record: JsonObject): Draft[] {
    config = record
    return [startSession('')]
  }

  /** The first line has all but the id, which most versions never tell. */
  function startSession(sessionId: string): Draft {
    return {
      type: 'session-start',
      sessionId,
      model: textAt(config, 'model'),
      cwd: textAt(config, 'workdir'),
      permissionMode: textAt(config, 'approval'),
    }
  }

  function readMessage(message: JsonObject): Draft[] {
    const type = textAt(message, 'type') ?? ''
    if (!SILENT.has(type) && !isOnlyLimits(message)) outcome = 'going-on'
    switch (type) {
      case 'session_configured':
        return [startSession(textAt(message, 'session_id') ?? '')]
      case 'task_started':
        isRunning = true
        hasCalled = false
        return []
      case 'agent_message':
        return say(textAt(message, 'message') ?? '')
      case 'agent_message_delta':
        return speech.piece('', 'text', textAt(message, 'delta') ?? '')
      case 'agent_reasoning':
        return speech.whole('', 'thinking', textAt(message, 'text') ?? '')
      case 'agent_reasoning_delta':
        return speech.piece('', 'thinking', textAt(message, 'delta') ?? '')
      case 'agent_reasoning_raw_content':
        return speech.whole('raw', 'thinking', textAt(message, 'text') ?? '')
      case 'agent_reasoning_raw_content_delta':
        return speech.piece('raw', 'thinking', textAt(message, 'delta') ?? '')
      case 'token_count':
        return count(message)
      case 'plan_update': {
        hasCalled = true
        const items = readPlan(message['plan'])
        return items === undefined ? [] : [{type: 'plan', items}]
      }
      case 'background_event':
        return [{type: 'status', status: 'notice', detail: toText(message['message'])}]
      case 'stream_error':
        return [readTrouble(toText(message['message']))]
      case 'error':
        return fail(toText(message['message']))
      case 'turn_aborted':
        isRunning = false
        return [{type: 'status', status: 'interrupted', detail: toText(message['reason'])}]
      case 'task_complete':
        isRunning = false
        return [{type: 'turn-end', ok: true, text: textAt(message, 'last_agent_message') ?? answer}]
      default: {
        if (CALLS.has(type)) hasCalled = true
        return tools.read(type, message)
      }
    }
  }

  function say(text: string): Draft[] {
    if (text === COMPACTED) {
      return [{type: 'status', status: 'compacting', phase: 'end', detail: text}]
    }
    answer = text
    return speech.whole('', 'text', text)
  }

  /** Comes when the model is done answering, and in later versions for its rate limits too. */
  function count(message: JsonObject): Draft[] {
    const info = objectAt(message, 'info')
    const drafts = usage.count(
      info['total_token_usage'],
      info['last_token_usage'],
      textAt(config, 'model'),
    )
    if (isOnlyLimits(message)) return []
    if (!hasCalled && isRunning) outcome = 'answered'
    hasCalled = false
    return [...tools.endSearches(), ...drafts]
  }

  /** What goes wrong before the task has started, such as an MCP server, does not keep it from starting. */
  function fail(message: string): Draft[] {
    if (isRunning) outcome = {error: plainError(message) || 'no reason given'}
    return [readTrouble(message)]
  }
}

/** Later versions tell their limits in the same way as what was used. */
function isOnlyLimits(message: JsonObject): boolean {
  return message['type'] === 'token_count' && 'rate_limits' in message && !isRecord(message['info'])
}

/** What the agent seems to say when it is the program that says it. */
const COMPACTED = 'Compact task completed'

/** Calls whose results the model waits for; its own search is part of its answer. */
const CALLS = new Set(['exec_command_begin', 'patch_apply_begin', 'mcp_tool_call_begin'])

/** What may come when the turn is over and says nothing about that. */
const SILENT = new Set(['turn_diff', 'shutdown_complete', 'conversation_path'])
