import type {
  AgentEvent,
  AgentEventBase,
  PermissionEvent,
  StatusKind,
  ToolKind,
  Tokens,
} from './events.ts'
import type {JsonObject} from '../wire/json.ts'
import type {UserAnswers} from './question.ts'
import type {Shapes} from './shapes.ts'

/** Everything Vitrine knows about one agent. */
export interface Adapter {
  /** The name in events and commands, such as `codex`. */
  id: string
  /** The name for people, such as `Codex CLI`. */
  label: string
  /**
   * Two letters for lists, where the first two of `id` are those of another agent: `Cx` for `codex`.
   *
   * @defaultValue The first two letters of `id`.
   */
  monogram?: string
  /** Names of the executable; users type the first. */
  commands: readonly string[]
  /** Names of the npm packages that contain it, for `npx`. */
  packages: readonly string[]
  /**
   * Confidence that a record is of this agent. 0: none. 1: possible, other agents print it too. 2: likely. 3: certain, no
   * other agent prints it. Among equal scores, the first agent of `adapters.ts` wins.
   */
  detect(record: JsonObject): 0 | 1 | 2 | 3
  /** The arguments that make it print events, without those already in `args`; never one that grants permissions. */
  flags(args: readonly string[]): string[]
  /**
   * Whether the output is not one event per line with these arguments: plain text, a multi-line document, help, or another
   * command of the program.
   */
  printsText(args: readonly string[]): boolean
  /** The prompt in the arguments; `undefined` when there is none, as when it is on stdin. */
  findPrompt(args: readonly string[]): string | undefined
  /** The option before the prompt, such as `-p`; absent when the prompt is a plain argument. */
  promptOption?: string
  /**
   * Whether a stream is a session of a user in another program, whose prompts are not known when it begins.
   *
   * @defaultValue `false`
   */
  isSession?: boolean
  /** Environment variables for a headless run. */
  env?: Readonly<Record<string, string>>
  /** Whether its stream contains thinking, permission requests or denials, and cost. */
  reports: {thinking: boolean; permissions: boolean; cost: boolean}
  /** Whether the adapter has a price for a model, so that {@link Translator.pendingUsage} has a cost. */
  hasPrice?(model: string): boolean
  /** Meaning of exit codes other than 0 and 1, for reasons of verdicts. */
  exitCodes?: Readonly<Record<number, string>>
  /** Exit codes other than 0 that do not make a successful turn fail. */
  ignoredExitCodes?: readonly number[] | undefined
  /**
   * Whether calls are printed before they run and results of parallel calls after all of them ended: the time between both
   * is then only an upper bound.
   */
  announcesCalls?: boolean
  /** The kind of a record, a key of `shapes`: its type, or `type/subtype`. */
  kindOf(record: JsonObject): string
  /** Every known kind of record, with its fields. */
  shapes: Shapes
  /** Creates the translator of one stream. */
  createTranslator(context: TranslatorContext): Translator
  /** Parses a line on stderr, for agents that do not report retries on stdout. */
  readStderr?(line: string): StderrStatus | undefined
  /** The control channel on stdin, for agents that request permissions there. */
  control?: Control
}

/** A status that an agent printed on stderr. */
export interface StderrStatus {
  status: StatusKind
  detail: string
  attempt?: number | undefined
  /** Milliseconds until the state ends. */
  delayMs?: number | undefined
}

/** Encodes the control channel of an agent: lines for its stdin, which stays open. */
export interface Control {
  /**
   * The arguments for a run with permission requests, and the prompt removed from them, which is sent on stdin. Deny rules
   * become arguments too, because the agent does not ask about tools that it allows by itself.
   *
   * @throws Error when the arguments contradict that, with a message for users.
   */
  prepare(
    args: readonly string[],
    deny?: readonly Rule[],
  ): {args: string[]; prompt: string | undefined}
  /** The first lines: the handshake and the prompt. */
  open(prompt: string): string
  /** The line that answers a permission request. */
  answer(request: PermissionEvent, decision: Decision): string
  /** The error line that answers any other request of the agent, so that it does not wait. */
  refuse?(record: JsonObject): string | undefined
  /** The id of the request that a record cancels. */
  findCancelled?(record: JsonObject): string | undefined
}

/** A permission rule: allows or denies a tool, or some uses of it. */
export interface Rule {
  /** The agent's name for the tool; `*` is a wildcard in names of MCP tools. */
  tool: string
  /** The uses it covers: a command, a path or a domain; all uses when absent. */
  only?: string | undefined
}

/** The decision about a permission request, made by a user or a rule. */
export type Decision =
  | {
      allow: true
      /** The input for the tool instead of the requested one. */
      input?: JsonObject | undefined
      /** The answers, where the request is a question to the user. */
      answers?: UserAnswers | undefined
    }
  | {
      allow: false
      /** The reason for the agent. */
      message: string
      /** Whether the agent must end its turn instead of trying another way. */
      stop?: boolean | undefined
    }

/** The state of the parser that a translator can read. */
export interface TranslatorContext {
  /** A tool that was called and has not ended. */
  openTool(toolId: string): OpenTool | undefined
}

/** A tool that was called and has not ended. */
export interface OpenTool {
  name: string
  tool: ToolKind
  input: unknown
  parentToolId?: string | undefined
}

/** Translates the records of one stream, in order. */
export interface Translator {
  /** The events of a record of a known kind, often none. Fields may be missing or of any type. */
  translate(record: JsonObject): Draft[]
  /** The events that follow from the end of the stream. */
  end?(): Draft[]
  /** Usage since the last `usage` event, estimated from the records. Called rarely, so it may be slow. */
  pendingUsage?(): PendingUsage | undefined
  /** Estimated usage of each sub-agent so far, by the id of the call that started it. */
  subAgentUsage?(): ReadonlyMap<string, PendingUsage>
}

/**
 * An event before the parser adds line, time and agent. The parser also adds `outputLength` and a missing `summary` of a
 * tool, and drops repeated starts and ends.
 */
export type Draft = DraftOf<AgentEvent>

/**
 * Reports a record, or a part of one, that lacks a field without which it has no meaning. The parser emits an
 * `unknown` event with the text of the line and counts it as drift.
 *
 * @param reason - The missing part, such as `tool_result without tool_use_id`.
 */
export function reportIncomplete(reason: string): Draft {
  return {type: 'unknown', raw: '', reason}
}

/** Fields of drafts, by type of event, that no event has in this form. */
interface DraftFields {
  'session-start': {
    /** Whether the process was restarted: ids of tools may occur again. */
    isRestart?: boolean
  }
  'tool-start': {
    summary?: string
    /** The message that contains the call, when the agent reports it. */
    messageId?: string | undefined
  }
  status: {
    /** Milliseconds until the state ends; the parser turns it into `until`. */
    delayMs?: number | undefined
  }
}

type DraftOf<E extends AgentEvent> = E extends AgentEvent
  ? Omit<E, keyof AgentEventBase | 'summary' | 'outputLength'> & {
      /** The time, when the agent reports it. */
      at?: number | undefined
    } & (E['type'] extends keyof DraftFields ? DraftFields[E['type']] : unknown)
  : never

/** Usage since the last `usage` event, estimated from the stream. */
export interface PendingUsage {
  tokens: Tokens
  /** By list prices; absent when a model has no known price. */
  costUsd?: number | undefined
  /** Tokens in the context of the last request of the main conversation, when known. */
  context?: number | undefined
}
