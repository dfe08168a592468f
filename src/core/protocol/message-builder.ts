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
import type {AgentEvent, TextEvent, ToolEndEvent} from '../events/events.ts'
import {isRecord} from '../wire/json.ts'
import {relativePath} from '../text/normalize-path.ts'
import {
  changeFileOnDisk,
  initialRunState,
  reduceRunState,
  settleRequest,
  type RunState,
} from '../run/run-state.ts'
import type {RunEnding, RunOrigin} from '../run/run-summary.ts'
import {toTimestamp} from './timestamp.ts'

/** Makes the messages of a run of what happens in it, numbered from 1 without a hole. */
export interface MessageTeller {
  /** The number of the last message. */
  readonly seq: number
  /** What holds of the run. */
  readonly state: RunState
  /** The run begins. */
  begin(origin: RunOrigin): RunMessage[]
  /**
   * Something happened.
   *
   * @param at - When, by the clock of whoever looks on; by default as the event says.
   */
  see(event: AgentEvent, at?: number): RunMessage[]
  /** A file is another now. */
  change(file: ToldFile, at: number): RunMessage[]
  /** Something was printed that is no event. */
  print(text: string, at: number): RunMessage[]
  /** Somebody has answered a request. */
  settle(requestId: string, at: number): void
  /** The stream is over: what was said in pieces is whole now. */
  flush(at: number): RunMessage[]
  /** The thinking that no message has followed yet, for a stream without an end of the run. */
  flushThinking(): RunMessage[]
  /** The run is over. */
  end(ending: RunEnding, at: number): RunMessage[]
}

/** A change of a file. */
type ToldFile = Pick<FileChangedEvent, 'path' | 'action' | 'sizeBytes' | 'isUncertain'>

/** How messages are made. */
export interface MessageTellerOptions {
  /** Whose messages they are; read for each of them. */
  ids: {workOrderId: string; runId: string}
  /**
   * Whether what tools say of files is told. Not where somebody watches the files.
   *
   * @defaultValue true
   */
  tellsFiles?: boolean | undefined
  /**
   * Whether permissions that are asked for are told.
   *
   * @defaultValue true
   */
  tellsRequests?: boolean | undefined
  /**
   * Whether there are messages for thinking.
   *
   * @defaultValue false
   */
  includeThinking?: boolean | undefined
  /** Suggests the rule that would allow a request, for `permission_request` messages. */
  suggestRule?:
    | ((name: string, input: unknown, options: {cwd: string}) => string | undefined)
    | undefined
  /** Takes secrets out of a text before it is cut, so that no part of one is left. */
  mask?: ((text: string) => string) | undefined
}

/** No secret that begins in the preview is longer than this, but for keys of many lines, which are known by their beginning. */
const MASKED_LENGTH = PREVIEW_LENGTH + 8192

/** Makes a teller for one run. */
export function createMessageTeller(options: MessageTellerOptions): MessageTeller {
  const {ids, tellsFiles = true, tellsRequests = true, mask = (text) => text} = options
  const {includeThinking = false, suggestRule} = options
  /** Text that comes in pieces, by who says it, until it is whole. */
  const speeches = new Map<string, Speech>()
  /** The same for thinking. */
  const thoughts = new Map<string, Speech>()
  /** Complete thinking that waits for the next message, directly before which it is told. */
  let waiting: {content: string; at: number}[] = []
  let state = initialRunState
  let seq = 0

  return {
    get seq() {
      return seq
    },
    get state() {
      return state
    },
    begin(origin) {
      const {startedAt} = origin
      state = {...state, cwd: origin.cwd, activity: {...state.activity, since: startedAt}}
      const data = {...next(startedAt), ...origin}
      return [createRunStartedEvent(ids.workOrderId, ids.runId, data)]
    },
    see(event, at = event.at) {
      const startedAt =
        event.type === 'tool-end'
          ? state.openTools.find(({toolId}) => toolId === event.toolId)?.startedAt
          : undefined
      state = reduceRunState(state, at === event.at ? event : {...event, at})
      endThought(event)
      const messages = withThinking(tell(event, startedAt))
      if (event.type === 'thinking') addThinking(event.text, event.at)
      if (event.type === 'thinking-delta') hearThought(event)
      return messages
    },
    change({path, action, sizeBytes, isUncertain}, at) {
      state = changeFileOnDisk(state, {path, action, isUncertain})
      const file = {path, action, sizeBytes}
      return withThinking([tellFile(isUncertain === true ? {...file, isUncertain} : file, at)])
    },
    print: (text, at) => withThinking([tellOutput(text, at)]),
    settle(requestId, at) {
      state = settleRequest(state, requestId, at)
    },
    flush(at) {
      endThoughts(at)
      return withThinking(flushAll(at))
    },
    flushThinking: () => takeThinking(seq),
    end(ending, at) {
      const data = {...next(at), ...ending}
      return withThinking([createRunEndedEvent(ids.workOrderId, ids.runId, data)])
    },
  }

  /** Puts the thinking that waits before the first of the messages that follow it. */
  function withThinking(messages: RunMessage[]): RunMessage[] {
    const [first] = messages
    return first === undefined || waiting.length === 0
      ? messages
      : [...takeThinking(first.seq - 1), ...messages]
  }

  function takeThinking(number: number): RunMessage[] {
    const taken = waiting.map(({content, at}) => {
      const data = {seq: number, timestamp: toTimestamp(at), content}
      return createThinkingEvent(ids.workOrderId, ids.runId, data)
    })
    waiting = []
    return taken
  }

  function addThinking(content: string, at: number): void {
    if (includeThinking && content.trim() !== '') waiting.push({content, at})
  }

  function hearThought({parentToolId: speaker = '', messageId, text}: TextEvent): void {
    if (!includeThinking) return
    const thought = thoughts.get(speaker)
    if (thought === undefined) thoughts.set(speaker, {messageId, pieces: [text]})
    else thought.pieces.push(text)
  }

  /** Thinking in pieces is complete when its speaker goes on with anything else. */
  function endThought(event: AgentEvent): void {
    if (thoughts.size === 0) return
    if (event.type === 'turn-end') return endThoughts(event.at)
    const speaker = speakerOf(event)
    const thought = thoughts.get(speaker)
    const isMore = event.type === 'thinking-delta' && event.messageId === thought?.messageId
    if (thought === undefined || isMore) return
    thoughts.delete(speaker)
    addThinking(thought.pieces.join(''), event.at)
  }

  function endThoughts(at: number): void {
    for (const {pieces} of thoughts.values()) addThinking(pieces.join(''), at)
    thoughts.clear()
  }

  function next(at: number): {seq: number; timestamp: string} {
    return {seq: ++seq, timestamp: toTimestamp(at)}
  }

  function tell(event: AgentEvent, toolStartedAt: number | undefined): RunMessage[] {
    if (event.type === 'text-delta') return hear(event)
    const speaker = speakerOf(event)
    const messages = event.type === 'turn-end' ? flushAll(event.at) : flushOne(speaker, event.at)
    switch (event.type) {
      case 'text':
        messages.push(tellOutput(event.text, event.at))
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
        messages.push(tellResult(event, toolStartedAt))
        break
      case 'file-change': {
        const path = relativePath(event.path, state.cwd)
        if (tellsFiles) messages.push(tellFile({path, action: event.action}, event.at))
        break
      }
      case 'permission-request': {
        if (!tellsRequests) break
        const {requestId, toolId: toolUseId, name, reason} = event
        const tool = toMessageTool(kindOf(name, toolUseId, state))
        const input = toInput(event.input)
        const rule = suggestRule?.(name, event.input, {cwd: state.cwd ?? '/'})
        // With a secret masked it would say more than was meant.
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

  function tellResult(event: ToolEndEvent, toolStartedAt: number | undefined): RunMessage {
    const {toolId: toolUseId, ok: success, output, error, at} = event
    const whole = success ? output : output || (error ?? '')
    // What is not cut can be masked with the rest of the message.
    const content = whole.length > PREVIEW_LENGTH ? mask(whole.slice(0, MASKED_LENGTH)) : whole
    const durationMs =
      event.durationMs ?? event.maxDurationMs ?? Math.max(0, at - (toolStartedAt ?? at))
    return createToolResultEvent(ids.workOrderId, ids.runId, {
      seq: ++seq,
      timestamp: toTimestamp(at),
      toolUseId,
      success,
      content,
      contentLength: whole.length,
      durationMs,
    })
  }

  function tellOutput(content: string, at: number): RunMessage {
    const data = {seq: ++seq, timestamp: toTimestamp(at), content}
    return createOutputEvent(ids.workOrderId, ids.runId, data)
  }

  function tellFile(file: ToldFile, at: number): RunMessage {
    return createFileChangedEvent(ids.workOrderId, ids.runId, {...next(at), ...file})
  }

  function hear(event: TextEvent): RunMessage[] {
    const {parentToolId: speaker = '', messageId, text, at} = event
    const speech = speeches.get(speaker)
    if (speech !== undefined && speech.messageId === messageId) {
      speech.pieces.push(text)
      return []
    }
    const messages = flushOne(speaker, at)
    speeches.set(speaker, {messageId, pieces: [text]})
    return messages
  }

  function flushOne(speaker: string, at: number): RunMessage[] {
    const speech = speeches.get(speaker)
    if (speech === undefined) return []
    speeches.delete(speaker)
    return [tellOutput(speech.pieces.join(''), at)]
  }

  function flushAll(at: number): RunMessage[] {
    return [...speeches.keys()].flatMap((speaker) => flushOne(speaker, at))
  }
}

/** What one speaker says in pieces. */
interface Speech {
  messageId: string | undefined
  pieces: string[]
}

/** The sub-agent that an event is of; empty for the agent itself. */
function speakerOf(event: AgentEvent): string {
  return 'parentToolId' in event ? (event.parentToolId ?? '') : ''
}

function toInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {}
}

/** A request is about a tool that was called, or is known by the agent's word for it. */
function kindOf(name: string, toolId: string | undefined, {openTools}: RunState): string {
  const open = openTools.find((tool) => tool.toolId === toolId && toolId !== undefined)
  return open?.tool ?? name
}
