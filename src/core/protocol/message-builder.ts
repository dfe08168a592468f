import {
  createFileChangedEvent,
  createOutputEvent,
  createPermissionRequestEvent,
  createRunEndedEvent,
  createRunStartedEvent,
  createThinkingEvent,
  createToolCallEvent,
  createToolResultEvent,
  PREVIEW_LENGTH,
  toMessageTool,
  type FileChangedEvent,
  type RunMessage,
} from './server-message.ts'
import type {AgentEvent, ToolEndEvent} from '../events/events.ts'
import {authorOf, createDeltaJoiner, type JoinedText} from '../events/join-deltas.ts'
import {isRecord} from '../wire/json.ts'
import {relativePath} from '../text/normalize-path.ts'
import {
  changeFileOnDisk,
  initialRunState,
  reduceRunState,
  resolveRequest,
  type RunState,
} from '../run/run-state.ts'
import type {RunEnding, RunOrigin} from '../run/run-summary.ts'
import {toTimestamp} from './timestamp.ts'

/** Builds the messages of one run from its events, numbered from 1 without gaps. */
export interface MessageBuilder {
  /** The number of the last message. */
  readonly seq: number
  /** The state of the run after the last event. */
  readonly state: RunState
  /** The run started. */
  start(origin: RunOrigin): RunMessage[]
  /** @param at - When it was observed; by default the time of the event. */
  addEvent(event: AgentEvent, at?: number): RunMessage[]
  /** A file was created, modified or deleted. */
  addFileChange(file: ChangedFile, at: number): RunMessage[]
  /** The agent printed text that is not an event. */
  addOutput(text: string, at: number): RunMessage[]
  /** A permission request was answered. */
  resolveRequest(requestId: string, at: number): void
  /** The stream ended: text received as deltas is complete. */
  flush(at: number): RunMessage[]
  /** Returns thinking not yet followed by a message, for a stream that ends without the run ending. */
  flushThinking(): RunMessage[]
  /** The run ended. */
  end(ending: RunEnding, at: number): RunMessage[]
}

/** A file change to report. */
type ChangedFile = Pick<FileChangedEvent, 'path' | 'action' | 'sizeBytes' | 'isUncertain'>

/** Options of {@link createMessageBuilder}. */
export interface MessageBuilderOptions {
  /** The ids of each message; read again for every message. */
  ids: {workOrderId: string; runId: string}
  /**
   * Whether file changes reported by tools become messages. Set to false where a file watcher reports them.
   *
   * @defaultValue true
   */
  includeFileChanges?: boolean | undefined
  /**
   * Whether permission requests become messages.
   *
   * @defaultValue true
   */
  includeRequests?: boolean | undefined
  /**
   * Whether thinking becomes messages.
   *
   * @defaultValue false
   */
  includeThinking?: boolean | undefined
  /** Suggests the rule that would allow a request, for `permission_request` messages. */
  suggestRule?:
    | ((name: string, input: unknown, options: {cwd: string}) => string | undefined)
    | undefined
  /** Masks secrets in a text before it is cut, so that no part of a secret remains. */
  mask?: ((text: string) => string) | undefined
}

/** Enough text to mask every secret that starts in the preview; multi-line keys are recognized by their first line. */
const MASKED_LENGTH = PREVIEW_LENGTH + 8192

/** Creates the message builder of one run. */
export function createMessageBuilder(options: MessageBuilderOptions): MessageBuilder {
  const {ids, includeFileChanges = true, includeRequests = true, mask = (text) => text} = options
  const {includeThinking = false, suggestRule} = options
  const joiner = createDeltaJoiner()
  /** Complete thinking, published directly before the next message. */
  let completeThinking: {content: string; at: number}[] = []
  let state = initialRunState
  let seq = 0

  return {
    get seq() {
      return seq
    },
    get state() {
      return state
    },
    start(origin) {
      const {startedAt} = origin
      state = {...state, cwd: origin.cwd, activity: {...state.activity, since: startedAt}}
      const data = {...next(startedAt), ...origin}
      return [createRunStartedEvent(ids.workOrderId, ids.runId, data)]
    },
    addEvent(event, at = event.at) {
      const startedAt =
        event.type === 'tool-end'
          ? state.openTools.find(({toolId}) => toolId === event.toolId)?.startedAt
          : undefined
      state = reduceRunState(state, at === event.at ? event : {...event, at})
      const messages = withThinking(buildMessages(event, startedAt))
      if (event.type === 'thinking') addThinking(event.text, event.at)
      return messages
    },
    addFileChange({path, action, sizeBytes, isUncertain}, at) {
      state = changeFileOnDisk(state, {path, action, isUncertain})
      const file = {path, action, sizeBytes}
      return withThinking([
        buildFileChange(isUncertain === true ? {...file, isUncertain} : file, at),
      ])
    },
    addOutput: (text, at) => withThinking([buildOutput(text, at)]),
    resolveRequest(requestId, at) {
      state = resolveRequest(state, requestId, at)
    },
    flush(at) {
      return withThinking(buildTexts(joiner.endAll(), at))
    },
    flushThinking: () => takeThinking(seq),
    end(ending, at) {
      const data = {...next(at), ...ending}
      return withThinking([createRunEndedEvent(ids.workOrderId, ids.runId, data)])
    },
  }

  /** Prepends the complete thinking to the messages that follow it. */
  function withThinking(messages: RunMessage[]): RunMessage[] {
    const [first] = messages
    return first === undefined || completeThinking.length === 0
      ? messages
      : [...takeThinking(first.seq - 1), ...messages]
  }

  function takeThinking(number: number): RunMessage[] {
    const taken = completeThinking.map(({content, at}) => {
      const data = {seq: number, timestamp: toTimestamp(at), content}
      return createThinkingEvent(ids.workOrderId, ids.runId, data)
    })
    completeThinking = []
    return taken
  }

  function addThinking(content: string, at: number): void {
    if (includeThinking && content.trim() !== '') completeThinking.push({content, at})
  }

  /** The messages for texts that were received as deltas and are complete now. */
  function buildTexts(texts: readonly JoinedText[], at: number): RunMessage[] {
    const messages: RunMessage[] = []
    for (const {isThinking, text} of texts) {
      if (isThinking) addThinking(text, at)
      else messages.push(buildOutput(text, at))
    }
    return messages
  }

  /** Takes the texts that an event completes: an author that continues with anything else has ended its text. */
  function takeTexts(event: AgentEvent): JoinedText[] {
    if (event.type === 'turn-end') return joiner.endAll()
    const isDelta =
      event.type === 'text-delta' || (event.type === 'thinking-delta' && includeThinking)
    const complete = isDelta ? joiner.add(event) : joiner.end(authorOf(event))
    return complete === undefined ? [] : [complete]
  }

  function next(at: number): {seq: number; timestamp: string} {
    return {seq: ++seq, timestamp: toTimestamp(at)}
  }

  function buildMessages(event: AgentEvent, toolStartedAt: number | undefined): RunMessage[] {
    const messages = buildTexts(takeTexts(event), event.at)
    switch (event.type) {
      case 'text':
        messages.push(buildOutput(event.text, event.at))
        break
      case 'tool-start': {
        const {toolId: toolUseId, name, at} = event
        const tool = toMessageTool(event.tool)
        const input = toInput(event.input)
        const data = {seq: ++seq, timestamp: toTimestamp(at), toolUseId, tool, name, input}
        messages.push(createToolCallEvent(ids.workOrderId, ids.runId, data))
        break
      }
      case 'tool-end':
        messages.push(buildResult(event, toolStartedAt))
        break
      case 'file-change': {
        const path = relativePath(event.path, state.cwd)
        if (includeFileChanges)
          messages.push(buildFileChange({path, action: event.action}, event.at))
        break
      }
      case 'permission-request': {
        if (!includeRequests) break
        const {requestId, toolId: toolUseId, name, reason} = event
        const tool = toMessageTool(kindOf(name, toolUseId, state))
        const input = toInput(event.input)
        const rule = suggestRule?.(name, event.input, {cwd: state.cwd ?? '/'})
        // A rule with a masked secret would cover more than the request.
        const suggestedRule = rule !== undefined && mask(rule) === rule ? rule : undefined
        const data = {requestId, toolUseId, tool, name, input, reason, suggestedRule}
        messages.push(
          createPermissionRequestEvent(ids.workOrderId, ids.runId, {...next(event.at), ...data}),
        )
        break
      }
      default:
    }
    return messages
  }

  function buildResult(event: ToolEndEvent, toolStartedAt: number | undefined): RunMessage {
    const {toolId: toolUseId, ok: success, output, error, at} = event
    const text = success ? output : output || (error ?? '')
    // Text that is not cut is masked with the rest of the message.
    const content = text.length > PREVIEW_LENGTH ? mask(text.slice(0, MASKED_LENGTH)) : text
    const durationMs =
      event.durationMs ?? event.maxDurationMs ?? Math.max(0, at - (toolStartedAt ?? at))
    return createToolResultEvent(ids.workOrderId, ids.runId, {
      seq: ++seq,
      timestamp: toTimestamp(at),
      toolUseId,
      success,
      content,
      contentLength: text.length,
      durationMs,
    })
  }

  function buildOutput(content: string, at: number): RunMessage {
    const data = {seq: ++seq, timestamp: toTimestamp(at), content}
    return createOutputEvent(ids.workOrderId, ids.runId, data)
  }

  function buildFileChange(file: ChangedFile, at: number): RunMessage {
    return createFileChangedEvent(ids.workOrderId, ids.runId, {...next(at), ...file})
  }
}

function toInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {}
}

/** The tool of a request: of the open call it belongs to, else by the agent's name for the tool. */
function kindOf(name: string, toolId: string | undefined, {openTools}: RunState): string {
  const open = openTools.find((tool) => tool.toolId === toolId && toolId !== undefined)
  return open?.tool ?? name
}
