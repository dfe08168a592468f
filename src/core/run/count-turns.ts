import type {TextEvent, ToolStartEvent, TurnEndEvent} from '../events/events.ts'

/** Requests to the model and results of the agent. */
export interface TurnCount {
  /** Requests to the model in the main conversation: as observed, and as the agent reports them with its results. */
  turns: number
  /** Results that the agent has printed: one for each message that it was sent. */
  results: number
  /** Those of {@link turns} that a result has settled. */
  settledTurns: number
  /** Inputs since the last result that led to no request of their own: results of parallel tools, interruptions. */
  surplusInputs: number
  /** Whether the model got input since its last answer. */
  hasInput: boolean
  /** The message of the last text, where the agent names it. */
  messageId?: string | undefined
}

/** The count before the first request. */
export const initialTurnCount: TurnCount = {
  turns: 0,
  results: 0,
  settledTurns: 0,
  surplusInputs: 0,
  hasInput: true,
  messageId: undefined,
}

/** Counts a request to the model when its answer begins. Sub-agents have requests of their own. */
export function countAnswer(count: TurnCount, event: TextEvent | ToolStartEvent): void {
  if (event.parentToolId !== undefined) return
  // Qwen gives thoughts a message of their own.
  const isText = event.type === 'text' || event.type === 'text-delta'
  const messageId = isText ? event.messageId : undefined
  const isSame =
    event.type === 'tool-start'
      ? event.isSameAnswer === true
      : messageId !== undefined && messageId === count.messageId
  // After a hook the model continues without input that the stream shows.
  const isOther = messageId !== undefined && count.messageId !== undefined && !isSame
  if (isSame && count.hasInput) count.surplusInputs++
  else if (count.hasInput || isOther) {
    count.turns++
    count.messageId = messageId
  } else count.messageId ??= messageId
  count.hasInput = false
}

/** Counts an input of the model, such as the result of a tool. */
export function countInput(count: TurnCount): void {
  if (count.hasInput) count.surplusInputs++
  count.hasInput = true
}

/** Settles the count with a result. `num_turns` of Claude also counts inputs that led to no request of their own. */
export function countResult(count: TurnCount, {turns: reported}: TurnEndEvent): void {
  const observed = count.turns - count.settledTurns
  const unanswered = count.hasInput && observed > 0 ? 1 : 0
  const requests =
    reported === undefined ? 1 : Math.floor(reported) - count.surplusInputs - unanswered
  count.turns = count.settledTurns + Math.max(observed, requests)
  count.settledTurns = count.turns
  count.results++
  count.surplusInputs = 0
  count.hasInput = true
  count.messageId = undefined
}
