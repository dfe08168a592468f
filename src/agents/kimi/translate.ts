import {
  reportIncomplete,
  type Draft,
  type OpenTool,
  type Translator,
  type TranslatorContext,
} from '../../core/events/adapter.ts'
import {defineTools, failTool, findToolKind, readTodos} from '../../core/events/drafts.ts'
import {countLines} from '../../core/text/text.ts'
import {
  isRecord,
  numberAt,
  objectAt,
  objectsAt,
  parseText,
  textAt,
  type JsonObject,
} from '../../core/wire/json.ts'
import {outputText} from './tool-output.ts'
import {readFailure} from './failure.ts'

/** Common names of the tools of Kimi Code and of the older program. */
export const TOOLS = defineTools({
  Read: 'Read ReadFile ReadMediaFile',
  Write: 'Write WriteFile',
  Edit: 'Edit StrReplaceFile',
  Bash: 'Bash Shell',
  Grep: 'Grep',
  Glob: 'Glob',
  WebFetch: 'FetchURL',
  WebSearch: 'WebSearch SearchWeb',
  Task: 'Agent AgentSwarm Task',
  Todo: 'TodoList SetTodoList',
})

/** Translates the output of Kimi Code. It prints a tool only when it ended, and errors not at all. */
export function createTranslator({openTool}: TranslatorContext): Translator {
  let agentVersion: string | undefined
  /** Only the older program prints no `meta` lines. */
  let isOlder = true
  /** The last text, for the end of the turn. */
  let text = ''
  let hasAnswered = false
  let goal: JsonObject = {}

  return {
    translate,
    // The older program reports no end of the turn.
    end: () => (isOlder && hasAnswered ? [readTurnEnd(text, goal)] : []),
  }

  function translate(record: JsonObject): Draft[] {
    switch (record['role'] ?? record['type']) {
      case 'assistant':
        return readAssistant(record)
      case 'tool':
        hasAnswered = false
        return endTool(record)
      case 'meta':
        isOlder = false
        return readMeta(record)
      case 'goal.summary':
        goal = record
        return []
      default:
        return []
    }
  }

  function readAssistant(record: JsonObject): Draft[] {
    const {content} = record
    if (typeof content === 'string' && HOOK.test(content)) {
      return [{type: 'status', status: 'hook', detail: content.replace('\n\n', ': ')}]
    }
    const texts = readTexts(content)
    const answer = texts.flatMap((draft) => (draft.type === 'text' ? [draft.text] : [])).join('')
    if (answer !== '') text = answer
    const calls = objectsAt(record, 'tool_calls').flatMap((call) => startTool(call))
    hasAnswered = calls.length === 0
    return [...texts, ...calls]
  }

  function endTool(record: JsonObject): Draft[] {
    const toolId = textAt(record, 'tool_call_id')
    if (toolId === undefined) return [reportIncomplete('tool result without tool_call_id')]
    const tool = openTool(toolId)
    const output = outputText(record['content'], tool?.tool)
    const failure = readFailure(output, tool)
    if (failure !== undefined) return failTool({toolId, output}, failure, tool)
    return [...readEffects(toolId, tool), {type: 'tool-end', toolId, ok: true, output}]
  }

  function readMeta(record: JsonObject): Draft[] {
    switch (record['type']) {
      case 'system.version':
        agentVersion = textAt(record, 'version')
        return []
      case 'turn.step.retrying':
        return [readRetry(record)]
      case 'session.resume_hint': {
        const sessionId = textAt(record, 'session_id') ?? ''
        return [{type: 'session-start', sessionId, agentVersion}, readTurnEnd(text, goal)]
      }
      default:
        return []
    }
  }
}

/** The output of a hook is printed like a text of the model. */
const HOOK = /^(?:UserPromptSubmit|PreToolUse|PostToolUse|Stop|SessionStart) hook(?: blocked)?\n\n/

function readTexts(content: unknown): Draft[] {
  if (typeof content === 'string') return content === '' ? [] : [{type: 'text', text: content}]
  return objectsAt({content}, 'content').flatMap((part): Draft[] => {
    const text = textAt(part, 'text')
    const think = textAt(part, 'think')
    if (part['type'] === 'text' && text) return [{type: 'text', text}]
    return part['type'] === 'think' && think ? [{type: 'thinking', text: think}] : []
  })
}

function startTool(call: JsonObject): Draft[] {
  const toolId = textAt(call, 'id')
  if (toolId === undefined) return [reportIncomplete('tool call without id')]
  const {arguments: args} = objectAt(call, 'function')
  const name = textAt(call['function'], 'name') ?? ''
  const tool = findToolKind(TOOLS, name)
  const input = typeof args === 'string' ? parseText(args) : args
  return [{type: 'tool-start', toolId, name, tool, input}]
}

/** The file change or plan of a call that succeeded. */
export function readEffects(toolId: string, tool: OpenTool | undefined): Draft[] {
  if (tool === undefined || !isRecord(tool.input)) return []
  const {input} = tool
  if (tool.tool === 'Todo') return readTodos(input)
  const path = textAt(input, 'path')
  if (path === undefined) return []
  if (tool.tool === 'Edit') return [{type: 'file-change', path, action: 'modified', toolId}]
  if (tool.tool !== 'Write') return []
  const added = countLines(textAt(input, 'content') ?? '')
  const action = input['mode'] === 'append' ? 'modified' : 'created'
  return [{type: 'file-change', path, action, toolId, added}]
}

/** A request to the model that is retried. */
export function readRetry(record: JsonObject): Draft {
  const code = numberAt(record, 'status_code')
  const error = textAt(record, 'error_message') ?? textAt(record, 'error_name') ?? 'no answer'
  return {
    type: 'status',
    status: 'api-retry',
    detail: code === undefined || error.includes(`${code}`) ? error : `${error} (${code})`,
    attempt: numberAt(record, 'failed_attempt'),
    of: numberAt(record, 'max_attempts'),
    delayMs: numberAt(record, 'delay_ms'),
  }
}

/** A goal that was not reached is a failure, although the conversation ended normally. */
function readTurnEnd(text: string, goal: JsonObject): Draft {
  const status = textAt(goal, 'status')
  const ok = status === undefined || status === 'complete'
  return {
    type: 'turn-end',
    ok,
    text,
    errors: ok ? undefined : [textAt(goal, 'reason') ?? `the goal is ${status}`],
    durationMs: numberAt(goal, 'wallClockMs'),
    turns: numberAt(goal, 'turnsUsed'),
    reason: status,
  }
}
