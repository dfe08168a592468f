import {cutText, escapeControls} from '../core/text/text.ts'
import type {Role} from './colors.ts'
import {layOutLine, type Fact, type LineStyle} from './layout.ts'
import {textWidth} from './text-width.ts'

/** Formats lines `[agent] …`. A `body` is untrusted text of the agent. */
export interface LineMaker {
  /** The first line of a run: agent, model and directory, and further facts that fit. */
  header(parts: (string | undefined)[], facts: SessionFacts): string
  /** A line `[agent] Word: body`. */
  step(agent: string, indent: string, step: Step): string
  /** Whether such a line fits without a cut. */
  fits(agent: string, indent: string, step: Pick<Step, 'word' | 'body'>): boolean
  /** A line that continues the previous one. */
  more(agent: string, indent: string, line: MoreLine): string
  /** A line without text of the agent. */
  own(agent: string, text: string): string
}

/** Further facts for the first line of a run. */
export interface SessionFacts {
  /** The id of the recording, such as `7f3a`. */
  recording?: string | undefined
  /** The maximum cost, such as `$5.00`. */
  budget?: string | undefined
  /** The version of the agent, if the stream does not report it. */
  agentVersion?: string | undefined
}

/** A step of the run: a word and its details. */
export interface Step {
  role: Role
  word: string
  body: string
  facts?: Fact[]
}

/** A line that continues the previous one. The body is text of the agent, lead and tail are not. */
export interface MoreLine {
  lead: string
  body: string
  tail?: string | undefined
  facts?: Fact[]
}

/** Creates a line maker with a style and, optionally, another name than the agent's. */
export function createLineMaker(style: LineStyle, name?: string): LineMaker {
  const {colors, symbols, width} = style

  return {
    header(parts, {recording, budget}) {
      const head = `${colors.frame('[vitrine]')} `
      const join = (...more: (string | undefined)[]) =>
        escape([...parts, ...more].filter((part) => part !== undefined).join(` ${symbols.dot} `))
      const body = join(
        recording === undefined ? undefined : `recording ${recording}`,
        budget === undefined ? undefined : `budget ${budget}`,
      )
      const isWide = width === undefined || textWidth(head + body) <= width
      return layOutLine({head, body: isWide ? body : join(recording)}, style)
    },
    step(agent, indent, {role, word, body, facts = []}) {
      const colon = body === '' ? '' : ': '
      const named = role === 'bad' ? `${word}${colon.trim()}` : word
      const rest = role === 'bad' ? colon.slice(1) : colon
      const shown = cutText(escape(named), MAX_WORD_LENGTH)
      const head = `${frame(agent)} ${indent}${colors[role](shown)}${rest}`
      return layOutLine({head, body: escape(body), facts}, style)
    },
    fits(agent, indent, {word, body}) {
      const line = `${frame(agent)} ${indent}${word}: ${body}`
      return width === undefined || textWidth(line) <= width
    },
    more(agent, indent, {lead, body, tail, facts = []}) {
      const head = `${frame(agent)} ${indent}${lead}`
      return layOutLine({head, body: escape(body), tail, facts}, style)
    },
    own: (agent, text) => `${frame(agent)} ${text}`,
  }

  function frame(agent: string): string {
    return colors.frame(`[${name ?? agent}]`)
  }

  function escape(text: string): string {
    if (text.length <= MAX_LINE_LENGTH) return escapeControls(text)
    return escapeControls(text.slice(0, MAX_LINE_LENGTH)) + symbols.more
  }
}

/** Maximum length of the word before the colon; MCP tools can have long names. */
const MAX_WORD_LENGTH = 40
/** Bounds the time to escape a line. */
const MAX_LINE_LENGTH = 2000
