import type {ToolKind} from '../../../src/core/events/events.ts'

/** A call of a tool, as far as it has come. */
export interface ToolCall {
  tool: ToolKind
  /** The agent's word for it. */
  name: string
  input: unknown
  /** What came out so far, or as much of it as is here. */
  output: string
  /** How long the output is in all. */
  outputLength: number
  /** Undefined while it runs. */
  ok: boolean | undefined
  exitCode?: number | undefined
  error?: string | undefined
  /** The blocks of its result, where more than their text is here: pictures, values. */
  content?: unknown
  /** Opens the record of it, for what is not here. */
  onShowAll?: (() => void) | undefined
}
