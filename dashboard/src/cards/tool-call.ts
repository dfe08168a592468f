import type {ToolKind} from '../../../src/core/events/events.ts'

/** A tool call, possibly still running. */
export interface ToolCall {
  tool: ToolKind
  /** The agent's name for the tool. */
  name: string
  input: unknown
  /** The output so far, or the part that is loaded. */
  output: string
  /** The length of the complete output. */
  outputLength: number
  /** Undefined while it runs. */
  ok: boolean | undefined
  exitCode?: number | undefined
  error?: string | undefined
  /** The content blocks of its result, if they are more than text: pictures, values. */
  content?: unknown
  /** Opens its record, for parts that are not loaded. */
  onShowAll?: (() => void) | undefined
}
