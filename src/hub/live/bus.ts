import type {UserAnswers} from '../../core/events/question.ts'
import type {RunMessage, RunRemovedMessage} from '../../core/protocol/server-message.ts'

/** A live message, encoded once for all subscribers. */
export interface LiveMessage<T extends string = RunMessage['type']> {
  readonly seq: number
  readonly type: T
  /** Its JSON. */
  readonly data: Buffer
  /** The encoded WebSocket frame. */
  readonly frame: Buffer
}

/** Messages of one run, in order. */
export interface Batch {
  runId: string
  workOrderId: string
  /** Distinguishes the run from a later one with the same id. */
  marker: string
  messages: readonly LiveMessage[]
  /** Whether the run had ended before it was found: such messages go only to subscribers of that run. */
  isOld?: boolean | undefined
  /** Reports that the run was removed; such a batch contains nothing else. */
  removal?: LiveMessage<RunRemovedMessage['type']> | undefined
}

/** The target of a subscription: a run, a work order, or everything. */
export interface Target {
  runId?: string | undefined
  workOrderId?: string | undefined
}

/** A command for the supervisor of a run. */
export type RunCommand =
  | {type: 'stop'}
  | {
      type: 'answer'
      requestId: string
      allow: boolean
      message?: string | undefined
      rule?: string | undefined
      input?: Record<string, unknown> | undefined
      answers?: UserAnswers | undefined
    }

/** The outcome of a command. */
export type CommandOutcome =
  | {ok: true}
  | {ok: false; code: 'no-such-request' | 'not-reachable' | 'bad-field'; message: string}

/**
 * Connects the indexer with subscribers. They may be in several processes on several machines, so both may rely
 * only on this interface and the store.
 */
export interface Bus {
  /** Publishes messages to all subscribers. Published messages can be read from the store. */
  publish(batch: Batch): void
  /**
   * Receives the messages of a target from now on, in order.
   *
   * @returns A function that ends the subscription.
   */
  subscribe(target: Target, listener: (batch: Batch) => void): () => void
  /** Sends a command to the supervisor of a run. */
  request(runId: string, command: RunCommand): Promise<CommandOutcome>
  /**
   * Receives the commands for a run.
   *
   * @returns A function that ends it.
   */
  serve(runId: string, handler: (command: RunCommand) => Promise<CommandOutcome>): () => void
}

/** The key of a target; a run has the same key with any work order. */
export function keyOf({runId, workOrderId}: Target): string {
  if (runId !== undefined) return `run ${runId}`
  return workOrderId === undefined ? 'all' : `order ${workOrderId}`
}
