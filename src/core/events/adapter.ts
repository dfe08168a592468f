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

/** Everything Vitrine knows of one agent. */
export interface Adapter {
  /** The name in events and commands, such as `codex`. */
  id: string
  /** The name for people, such as `Codex CLI`. */
  label: string
  /** What the program is called on disk; the first is what people type. */
  commands: readonly string[]
  /** What `npx` may be told to run instead. */
  packages: readonly string[]
  /**
   * How sure it is that a record is of this agent: 0 not at all, 1 it may be, as of others, 2 it is likely, 3 nobody
   * else prints that.
   */
  detect(record: JsonObject): 0 | 1 | 2 | 3
  /** The arguments that make it print its events, without those that `args` has already. */
  flags(args: readonly string[]): string[]
  /**
   * Whether the arguments ask for something else than events, one on each line: plain text, a document over several lines,
   * help, or another of the program's commands.
   */
  printsText(args: readonly string[]): boolean
  /** What the arguments ask the agent to do; `undefined` when they do not say it, as when the prompt is on stdin. */
  findPrompt(args: readonly string[]): string | undefined
  /** Environment that a headless run wants. */
  env: Readonly<Record<string, string>>
  /** What its stream tells, for an overview. */
  tells: {thinking: boolean; permissions: boolean; cost: boolean}
  /** Whether it knows the price of a model, for an agent that counts cost with a price list of its own. */
  hasPrice?(model: string): boolean
  /** What an exit code means, where it is not 0 for success and 1 for failure. */
  exitCodes: Readonly<Record<number, string>>
  /** Exit codes that say nothing against a turn that ended well. */
  ignoredExitCodes?: readonly number[] | undefined
  /**
   * Whether calls are printed before they run, and results of parallel calls when all have ended: then the time between the
   * two is only the most that a parallel call took.
   */
  announcesCalls?: boolean
  /** The kind of a record, by which its shape is known: its type, or `type/subtype`. */
  kindOf(record: JsonObject): string
  /** Every kind of record that is known, with its fields. */
  shapes: Shapes
  /** A fresh reader of one stream. */
  createTranslator(context: TranslatorContext): Translator
  /** Reads a line that the agent prints on stderr, where its stdout does not report a retry. */
  readStderr?(line: string): StderrStatus | undefined
  /** How it is spoken to, if it can ask for permissions. */
  control?: Control
}

/** What a line on stderr says about the run. */
export interface StderrStatus {
  status: StatusKind
  detail: string
  attempt?: number | undefined
  /** In how many milliseconds the state is over. */
  delayMs?: number | undefined
}

/** How an agent that asks for permissions is spoken to on its stdin, which stays open. Texts are whole lines. */
export interface Control {
  /**
   * The arguments with which it asks, and the prompt taken out of them, which goes to stdin then. What is denied is
   * told to the agent too, because it does not ask about what it holds to be harmless or allowed.
   *
   * @throws Error when the arguments say otherwise, with a sentence for people.
   */
  prepare(
    args: readonly string[],
    deny?: readonly Rule[],
  ): {args: string[]; prompt: string | undefined}
  /** What is written first: the handshake and the prompt. */
  open(prompt: string): string
  /** The answer to a request. */
  answer(request: PermissionEvent, decision: Decision): string
  /** The answer to a line that is another question of the agent: an error, so that it does not wait. */
  refuse?(record: JsonObject): string | undefined
  /** The request that a line takes back, if it does. */
  cancelled?(record: JsonObject): string | undefined
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
      /** What the tool gets instead of what the agent wanted. */
      input?: JsonObject | undefined
      /** The answers, where the request is a question to the user. */
      answers?: UserAnswers | undefined
    }
  | {
      allow: false
      /** What the agent is told. */
      message: string
      /** Whether it shall end its turn, and not try another way. */
      stop?: boolean | undefined
    }

/** What a translator may ask of the parser that drives it. */
export interface TranslatorContext {
  /** A tool that was called and is not done. */
  openTool(toolId: string): OpenTool | undefined
}

/** A tool that was called and is not done. */
export interface OpenTool {
  name: string
  tool: ToolKind
  input: unknown
  parentToolId?: string | undefined
}

/** Reads the records of one stream, in order. */
export interface Translator {
  /** What a record of a known kind says; nothing, often. Fields may be missing or of any type. */
  translate(record: JsonObject): Draft[]
  /** What is left to say when the stream is over. */
  end?(): Draft[]
  /** What was used since the last `usage`, where the records let us see it. Asked for seldom, so it may take its time. */
  pendingUsage?(): PendingUsage | undefined
  /** What each sub-agent used so far, by the call that began it, where the records let us see it. */
  subAgentUse?(): ReadonlyMap<string, PendingUsage>
}

/**
 * An event before the parser has put line, time and agent to it. The parser also makes a tool's `summary`, where
 * there is none, and `outputLength`, and it drops second starts and ends of a tool.
 */
export type Draft = DraftOf<AgentEvent>

/**
 * Reports a record, or a part of one, that lacks a field without which it has no meaning. The parser emits an
 * `unknown` event with the text of the line and counts it as drift.
 *
 * @param reason - What is missing, such as `tool_result without tool_use_id`.
 */
export function reportIncomplete(reason: string): Draft {
  return {type: 'unknown', raw: '', reason}
}

type DraftOf<E extends AgentEvent> = E extends AgentEvent
  ? Omit<E, keyof AgentEventBase | 'summary' | 'outputLength'> & {
      /** The time, when the agent tells it. */
      at?: number | undefined
    } & (E extends {summary: string} ? {summary?: string} : unknown) &
      (E extends {type: 'status'}
        ? {
            /** In how many milliseconds the state is over; the parser makes `until` of it. */
            delayMs?: number | undefined
          }
        : unknown) &
      (E extends {type: 'tool-start'}
        ? {
            /** The message that it is a part of, where the agent names it. */
            messageId?: string | undefined
          }
        : unknown) &
      (E extends {type: 'session-start'}
        ? {
            /** Its process is another, which counts its tools anew. */
            isRestart?: boolean
          }
        : unknown)
  : never

/** What was used since the agent last told its sums, as far as its lines let us see. */
export interface PendingUsage {
  tokens: Tokens
  /** By list prices; absent when the price of a model is not known. */
  costUsd?: number | undefined
  /** How many tokens the last request of the conversation itself held, where that is told. */
  context?: number | undefined
}
