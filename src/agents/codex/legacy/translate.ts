import type {Draft, Translator, TranslatorContext} from '../../../core/events/adapter.ts'
import {createTextDeduplicator} from '../../../core/events/deduplicate-text.ts'
import {readPlan} from '../../../core/events/plan.ts'
import {isRecord, objectAt, textAt, toText, type JsonObject} from '../../../core/wire/json.ts'
import {createLegacyToolReader} from './tools.ts'
import {errorText, readError} from '../errors.ts'
import {createUsageCounter} from '../usage.ts'

/**
 * Translates the output of Codex before 0.42. These versions do not report the end of a turn: it ends when the model has
 * responded without a tool call, or when an error comes last.
 */
export function createLegacyTranslator(
  context: TranslatorContext,
): Required<Pick<Translator, 'translate' | 'end'>> {
  const tools = createLegacyToolReader(context)
  const texts = createTextDeduplicator()
  const usage = createUsageCounter()
  let config: JsonObject = {}
  let answer = ''
  /** Whether the current response has called a tool. */
  let hasCalled = false
  let isRunning = false
  let outcome: 'going-on' | 'answered' | {error: string} = 'going-on'

  return {
    translate(record) {
      if ('msg' in record) return readMessage(objectAt(record, 'msg'))
      if (!('workdir' in record)) return []
      config = record
      return [startSession('')]
    },
    end: () => [...tools.end(), ...endTurn()],
  }

  function endTurn(): Draft[] {
    if (outcome === 'going-on') return []
    if (outcome === 'answered') return [{type: 'turn-end', ok: true, text: answer}]
    return [{type: 'turn-end', ok: false, text: answer, errors: [outcome.error]}]
  }

  /** The first line has everything but the id, which most versions do not report. */
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
    if (!NEUTRAL.has(type) && !isOnlyLimits(message)) outcome = 'going-on'
    switch (type) {
      case 'session_configured':
        return [startSession(textAt(message, 'session_id') ?? '')]
      case 'task_started':
        isRunning = true
        hasCalled = false
        return []
      case 'agent_message':
        return readAnswer(textAt(message, 'message') ?? '')
      case 'agent_message_delta':
        return texts.addDelta('', 'text', textAt(message, 'delta') ?? '')
      case 'agent_reasoning':
        return texts.addFull('', 'thinking', textAt(message, 'text') ?? '')
      case 'agent_reasoning_delta':
        return texts.addDelta('', 'thinking', textAt(message, 'delta') ?? '')
      case 'agent_reasoning_raw_content':
        return texts.addFull('raw', 'thinking', textAt(message, 'text') ?? '')
      case 'agent_reasoning_raw_content_delta':
        return texts.addDelta('raw', 'thinking', textAt(message, 'delta') ?? '')
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
        return [readError(toText(message['message']))]
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

  function readAnswer(text: string): Draft[] {
    if (text === COMPACTED) {
      return [{type: 'status', status: 'compacting', phase: 'end', detail: text}]
    }
    answer = text
    return texts.addFull('', 'text', text)
  }

  /** Follows a response of the model; in later versions it also reports rate limits. */
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

  /** An error before the task starts, such as that of an MCP server, does not prevent it. */
  function fail(message: string): Draft[] {
    if (isRunning) outcome = {error: errorText(message) || 'no reason given'}
    return [readError(message)]
  }
}

/** Whether a usage record only reports rate limits, as in later versions. */
function isOnlyLimits(message: JsonObject): boolean {
  return message['type'] === 'token_count' && 'rate_limits' in message && !isRecord(message['info'])
}

/** A text of the program that looks like a response. */
const COMPACTED = 'Compact task completed'

/** Calls whose results the model waits for; a search is part of its response. */
const CALLS = new Set(['exec_command_begin', 'patch_apply_begin', 'mcp_tool_call_begin'])

/** Messages that may follow the end of a turn. */
const NEUTRAL = new Set(['turn_diff', 'shutdown_complete', 'conversation_path'])
