import type {Draft, Translator} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {objectAt, textAt, toText, type JsonObject} from '../../core/wire/json.ts'
import {createLegacyToolReader} from './legacy/tools.ts'
import {createAgentTable} from './transcript-agents.ts'
import {readPatchEnd, readToolItem, toOutputItem} from './transcript-items.ts'
import {parentOf} from './transcript-parents.ts'
import {
  isOwnThread,
  moveTo,
  readRow,
  textsOf,
  threadOf,
  type Position,
  type Row,
} from './transcript-rows.ts'
import {isCall, readCall, readOutput} from './transcript-tools.ts'
import {createTurnReader, describeSession} from './transcript-turns.ts'
import {isCountedByTotal, readUsage, type UsageState} from './transcript-usage.ts'

/** A file of the session. */
interface File extends Position, UsageState {
  totals: Set<string>
  isSubAgent?: boolean
  /** Whether the file is that of a reviewer, whose items are also in the main one. */
  isReviewer?: boolean
  /** The key of the latest request if it was counted by a running total, which its record can follow. */
  totalKey?: string | undefined
}

/** Translates the rows of a session of Codex: of its own file and those of its sub-agents. */
export function createTranslator(context: TranscriptContext): Translator {
  const {openTool} = context
  const files = new Map<string, File>()
  const agents = createAgentTable()
  const legacyTools = createLegacyToolReader(context)
  /** Requests that were counted. */
  const counted = new Set<string>()
  /** Calls that the user interrupted: they have no outcome. */
  const interrupted = new Set<string>()
  const turns = createTurnReader()

  return {
    translate(record) {
      const file = fileOf(context.source().path)
      const row = readRow(record)
      const isCopy = moveTo(file, row, record)
      const usage = readUsage(file, row, file.totals)
      if (isCopy) return []
      const drafts = read(row, file)
      if (usage !== undefined && !counted.has(usage.key)) {
        counted.add(usage.key)
        if (!isCountedBefore(row, file)) {
          drafts.push({type: 'usage', tokens: usage.tokens, model: file.model})
        }
        file.totalKey = row.kind === 'token_usage_record' ? undefined : usage.key
        if (file.isSubAgent !== true) turns.endAnswer(file.isCountedFirst === true)
      }
      return drafts.map((draft) => complete(draft, row, file))
    },
    end: turns.end,
  }

  function fileOf(path: string): File {
    const known = files.get(path)
    if (known !== undefined) return known
    const file: File = {threadId: threadOf(path), totals: new Set()}
    files.set(path, file)
    return file
  }

  function complete(draft: Draft, {at}: Row, {isSubAgent, threadId}: File): Draft {
    if (draft.at === undefined && at !== undefined) draft.at = at
    if (isSubAgent !== true) return draft
    switch (draft.type) {
      case 'text':
      case 'thinking':
      case 'tool-start':
        return {...draft, parentToolId: agents.callOf(threadId)}
      default:
        return draft
    }
  }

  function read(row: Row, file: File): Draft[] {
    const {kind, payload} = row
    if (isCall(row)) {
      if (file.isSubAgent !== true) turns.addCall()
      return readCall(payload)
    }
    switch (kind) {
      case 'session_meta':
        return startSession(payload, file)
      case 'event_msg/agent_message':
        return addText('text', textAt(payload, 'message'), file)
      case 'event_msg/agent_reasoning':
      case 'event_msg/agent_reasoning_raw_content':
        return addText('thinking', textAt(payload, 'text'), file)
      case 'message':
        return payload['role'] === 'assistant'
          ? addText('text', textsOf(payload, 'content'), file)
          : turns.start(row)
      case 'reasoning':
        return addText('thinking', textsOf(payload, 'summary'), file)
      case 'event_msg/item_completed':
        return readItem(row, objectAt(payload, 'item'), file)
      case 'response_item/function_call_output':
      case 'response_item/custom_tool_call_output':
      case 'response_item/tool_search_output':
        return endCall(payload)
      case 'event_msg/patch_apply_end':
        return endPatch(textAt(payload, 'call_id'), payload)
      case 'event_msg/mcp_tool_call_end':
      case 'event_msg/exec_command_end':
        return legacyTools.read(textAt(payload, 'type') ?? '', payload)
      case 'event_msg/sub_agent_activity':
        agents.link(textAt(payload, 'agent_thread_id'), textAt(payload, 'event_id'))
        return []
      default:
        return file.isSubAgent === true ? [] : turns.read(row, file)
    }
  }

  function startSession(payload: JsonObject, file: File): Draft[] {
    if (!isOwnThread(file, payload)) return []
    file.isSubAgent = parentOf(payload) !== undefined
    file.isReviewer = objectAt(payload, 'source')['subagent'] === 'review'
    return file.isSubAgent ? [] : [describeSession(file, payload)]
  }

  function addText(type: 'text' | 'thinking', text = '', file: File, messageId?: string): Draft[] {
    // The main conversation has the outcome of a review.
    if (text === '' || file.isReviewer === true) return []
    if (type === 'text' && file.isSubAgent !== true) turns.addAnswer(text)
    return [messageId === undefined ? {type, text} : {type, text, messageId}]
  }

  function readItem(row: Row, item: JsonObject, file: File): Draft[] {
    const id = textAt(item, 'id')
    switch (item['type']) {
      case 'UserMessage':
        return file.isSubAgent === true ? [] : turns.start(row)
      case 'HookPrompt':
        return reportStatus('hook', textsOf(item, 'fragments'))
      case 'AgentMessage':
        return addText('text', textsOf(item, 'content'), file, id)
      case 'Plan':
        return addText('text', textAt(item, 'text'), file, id)
      case 'Reasoning':
        return addText(
          'thinking',
          joinTexts(item['summary_text']) || joinTexts(item['raw_content']),
          file,
        )
      case 'FileChange':
        return endPatch(id, item)
      case 'EnteredReviewMode':
        return reportStatus('notice', `review: ${toText(item['user_facing_hint'])}`)
      case 'SubAgentActivity':
        agents.link(textAt(item, 'agent_thread_id'), id)
        return []
      default:
        return readTool(item)
    }
  }

  function readTool(item: JsonObject): Draft[] {
    const converted = toOutputItem(item)
    if (converted === undefined || interrupted.has(textAt(item, 'id') ?? '')) return []
    // A command that the user ran.
    if (item['source'] === 'user_shell') {
      return reportStatus('notice', `command: ${toText(converted['command'])}`)
    }
    const tasks = converted['type'] === 'collab_tool_call' ? agents.readItem(converted) : []
    return [...readToolItem(converted), ...tasks]
  }

  function endPatch(toolId: string | undefined, patch: JsonObject): Draft[] {
    return toolId === undefined || interrupted.has(toolId) ? [] : readPatchEnd(toolId, patch)
  }

  /** Most calls have ended with their item. */
  function endCall(payload: JsonObject): Draft[] {
    const toolId = textAt(payload, 'call_id') ?? ''
    const tool = openTool(toolId)
    if (tool === undefined) return []
    const drafts = readOutput(toolId, payload, tool)
    if (drafts === undefined) {
      interrupted.add(toolId)
      return []
    }
    const tasks =
      tool.tool === 'Task' ? agents.readOutput(toolId, tool, toText(payload['output'])) : []
    return [...drafts, ...tasks]
  }
}

/** Whether a row is the record of a request that a running total has counted. */
function isCountedBefore({kind, payload}: Row, {totalKey}: File): boolean {
  const turnId = textAt(payload, 'turn_id')
  if (kind !== 'token_usage_record' || totalKey === undefined || turnId === undefined) return false
  return isCountedByTotal(totalKey, turnId)
}

function joinTexts(list: unknown): string {
  return Array.isArray(list) ? list.map((text) => toText(text)).join('\n\n') : ''
}
