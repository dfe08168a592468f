import type {UserAnswers} from '../../core/events/question.ts'
import type {RunMessage, RunRemovedMessage} from '../../core/protocol/server-message.ts'

/** A message on its way to those who watch, encoded once for all of them. */
export interface LiveMessage<T extends string = RunMessage['type']> {
  readonly seq: number
  readonly type: T
  /** Its JSON. */
  readonly data: Buffer
  /** The same as a WebSocket sends it. */
  readonly frame: Buffer
}

/** Messages of one run, in order. */
export interface Batch {
  runId: string
  workOrderId: string
  /** Which run it is: one that takes the place of another has another. */
  marker: string
  messages: readonly LiveMessage[]
  /** Whether they are of a run that was over before anybody looked: news only for those who ask for that run. */
  isOld?: boolean | undefined
  /** Says that the run is gone; there is nothing else in the batch then. */
  removal?: LiveMessage<RunRemovedMessage['type']> | undefined
}

/** Whose messages are wanted: of a run, of a work order, or of all. */
export interface Target {
  runId?: string | undefined
  workOrderId?: string | undefined
}

/** What whoever looks after a run is asked to do. */
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

/** What became of a command. */
export type CommandOutcome =
  | {ok: true}
  | {ok: false; code: 'no-such-request' | 'not-reachable' | 'bad-field'; message: string}

/**
 * The way between those who take runs in and those who give them out. They may be in several processes, on several
 * machines: nobody may rely on anything but this and the store.
 */
export interface Bus {
  /** Gives messages to all who want them. What is published can be read from the store. */
  publish(batch: Batch): void
  /**
   * Gets the messages of a target from now on, in order.
   *
   * @returns A function that ends it.
   */
  subscribe(target: Target, listener: (batch: Batch) => void): () => void
  /** Asks whoever looks after a run to do something. */
  request(runId: string, command: RunCommand): Promise<CommandOutcome>
  /**
   * Takes the commands for a run.
   *
   * @returns A function that ends it.
   */
  serve(runId: string, handler: (command: RunCommand) => Promise<CommandOutcome>): () => void
}

/** A name for a target; a run is the same whatever work order it is named with. */
export function keyOf({runId, workOrderId}: Target): string {
  if (runId !== undefined) return `run ${runId}`
  return workOrderId === undefined ? 'all' : `order ${workOrderId}`
}
