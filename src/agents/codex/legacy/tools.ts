import {reportIncomplete, type Draft, type TranslatorContext} from '../../../core/events/adapter.ts'
import {summarize} from '../../../core/events/summarize.ts'
import {numberAt, objectAt, textAt, toText, type JsonObject} from '../../../core/wire/json.ts'
import {createChunkDecoder} from './chunks.ts'
import {readPatch} from './patch.ts'
import {mcpText} from '../mcp.ts'

/** Reads the lines about tools that Codex printed before 0.42. */
export interface LegacyToolReader {
  read(type: string, message: JsonObject): Draft[]
  /** The model has responded, so its searches ended, even those without an end in the stream. */
  endSearches(): Draft[]
  /** The drafts that are still pending when the stream ends. */
  end(): Draft[]
}

const TOOL_MESSAGE =
  /^(?:exec_command|patch_apply|mcp_tool_call|web_search)_(?:begin|end)$|_approval_request$/

/** Creates a reader for one stream. */
export function createLegacyToolReader({openTool}: TranslatorContext): LegacyToolReader {
  const chunks = createChunkDecoder()
  /** Started searches without a query. */
  const searches = new Set<string>()
  return {
    read(type, message) {
      const toolId = textAt(message, 'call_id')
      if (toolId === undefined) {
        return TOOL_MESSAGE.test(type) ? [reportIncomplete(`${type} without call_id`)] : []
      }
      switch (type) {
        case 'exec_command_begin':
          return [startCommand(toolId, message)]
        case 'exec_command_output_delta':
          return readChunk(toolId, message)
        case 'exec_command_end':
          chunks.clear(toolId)
          return [endCommand(toolId, message)]
        case 'patch_apply_begin':
          return [startPatch(toolId, message)]
        case 'patch_apply_end':
          return endPatch(toolId, message)
        case 'mcp_tool_call_begin':
          return [startMcp(toolId, message)]
        case 'mcp_tool_call_end':
          return [startMcp(toolId, message), endMcp(toolId, message)]
        case 'web_search_begin':
          searches.add(toolId)
          return []
        case 'web_search_end':
          searches.delete(toolId)
          return readSearch(toolId, message)
        case 'exec_approval_request':
          return [requestPermission(toolId, commandOf(message), message)]
        case 'apply_patch_approval_request':
          return [requestPermission(toolId, patchOf(message), message)]
        default:
          return []
      }
    },
    endSearches() {
      const drafts = [...searches].flatMap((toolId) => readSearch(toolId, {}))
      searches.clear()
      return drafts
    },
    end: () => Array.from(searches, (toolId) => startSearch(toolId, {})),
  }

  function readChunk(toolId: string, message: JsonObject): Draft[] {
    const stream = textAt(message, 'stream') ?? ''
    const text = chunks.decode(toolId, stream, textAt(message, 'chunk') ?? '')
    return text === '' ? [] : [{type: 'tool-update', toolId, text}]
  }

  function endPatch(toolId: string, message: JsonObject): Draft[] {
    const ok = message['success'] === true
    const stdout = textAt(message, 'stdout') ?? ''
    const stderr = textAt(message, 'stderr') ?? ''
    const output = stdout + stderr
    const error = ok ? undefined : stderr.trim() || stdout.trim() || 'failed'
    const end: Draft = {type: 'tool-end', toolId, ok, output, error}
    return ok ? [...readPatch(toolId, objectAt(openTool(toolId)?.input, 'changes')), end] : [end]
  }
}

interface Call {
  name: string
  input: unknown
}

function commandOf({command, cwd}: JsonObject): Call {
  return {name: 'exec_command', input: {command, cwd}}
}

function patchOf({changes}: JsonObject): Call {
  return {name: 'apply_patch', input: {changes}}
}

function startCommand(toolId: string, message: JsonObject): Draft {
  const {command} = message
  const words = Array.isArray(command) ? command.map((word) => toText(word)) : [toText(command)]
  // For a shell the command is the last word.
  const isWrapped = words.length === 3 && /^-l?c$/.test(words[1] ?? '')
  const shown = isWrapped ? words[2] : words.join(' ')
  const summary = summarize('Bash', {command: shown})
  return {type: 'tool-start', toolId, ...commandOf(message), tool: 'Bash', summary}
}

function startPatch(toolId: string, message: JsonObject): Draft {
  const summary = summarize('Edit', {paths: Object.keys(objectAt(message, 'changes'))})
  return {type: 'tool-start', toolId, ...patchOf(message), tool: 'Edit', summary}
}

function endCommand(toolId: string, message: JsonObject): Draft {
  const exitCode = numberAt(message, 'exit_code')
  const ok = (exitCode ?? 0) === 0
  const parts = (textAt(message, 'stdout') ?? '') + (textAt(message, 'stderr') ?? '')
  const output = textAt(message, 'aggregated_output') || parts
  // The text for the model also mentions a timeout.
  const text = textAt(message, 'formatted_output')?.trim() || output.trim()
  const error = ok ? undefined : text || `exit code ${exitCode}`
  return {type: 'tool-end', toolId, ok, output, error, exitCode, durationMs: durationOf(message)}
}

function startMcp(toolId: string, message: JsonObject): Draft {
  const call = objectAt(message, 'invocation')
  const name = [textAt(call, 'server'), textAt(call, 'tool')].filter(Boolean).join('/')
  return {type: 'tool-start', toolId, name, tool: 'Mcp', input: call['arguments']}
}

function endMcp(toolId: string, message: JsonObject): Draft {
  const {Ok: result, Err: failure} = objectAt(message, 'result')
  const output = mcpText(result ?? failure, 'structuredContent')
  const ok = result !== undefined && objectAt({result}, 'result')['isError'] !== true
  const error = ok ? undefined : output.trim() || 'failed'
  return {type: 'tool-end', toolId, ok, output, error, durationMs: durationOf(message)}
}

function readSearch(toolId: string, message: JsonObject): Draft[] {
  return [startSearch(toolId, message), {type: 'tool-end', toolId, ok: true, output: ''}]
}

function startSearch(toolId: string, {query}: JsonObject): Draft {
  return {type: 'tool-start', toolId, name: 'web_search', tool: 'WebSearch', input: {query}}
}

function requestPermission(toolId: string, call: Call, message: JsonObject): Draft {
  return {type: 'permission-request', toolId, ...call, reason: textAt(message, 'reason')}
}

function durationOf(message: JsonObject): number | undefined {
  const duration = objectAt(message, 'duration')
  const seconds = numberAt(duration, 'secs')
  if (seconds === undefined) return undefined
  return seconds * 1000 + Math.round((numberAt(duration, 'nanos') ?? 0) / 1e6)
}
