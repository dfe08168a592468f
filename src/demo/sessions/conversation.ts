import type {Tokens} from '../../core/events/events.ts'

/** An invented session, from which the file of an agent is written. */
export interface Conversation {
  agent: 'claude' | 'codex' | 'gemini' | 'pi'
  sessionId: string
  cwd: string
  branch: string
  title: string
  model: string
  turns: Turn[]
}

/** A prompt and the answers to it. The last answer has no tool call. */
export interface Turn {
  at: number
  prompt: string
  answers: Answer[]
}

/** A request to the model that was answered. */
export interface Answer {
  at: number
  id: string
  text: string
  tool?: ToolCall | undefined
  tokens: Tokens
}

/** A tool call with its result. */
export type ToolCall = Tool & {id: string; endedAt: number}

/** The work of a tool. Paths are relative to the working directory. */
export type Tool =
  | {kind: 'read'; path: string; content: string}
  | {kind: 'edit'; path: string; before: string; after: string}
  | {kind: 'shell'; command: string; output: string; exitCode: number}

/** A record of a session file. */
export interface Row {
  at: number
  record: object
}

/** Formats a time as agents write it. */
export function toTime(at: number): string {
  return new Date(at).toISOString()
}
