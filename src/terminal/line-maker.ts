import {cutText, escapeControls} from '../core/text/text.ts'
import type {Role} from './colors.ts'
import {layOut, type Fact, type LineStyle} from './layout.ts'
import {textWidth} from './text-width.ts'

/** Makes lines `[agent] …` of parts. What is called `body` is the agent's and not to be trusted. */
export interface LineMaker {
  /** The first line of a run: who works on what, and as much of the rest as there is room for. */
  header(parts: (string | undefined)[], facts: SessionFacts): string
  /** A line `[agent] Word: body`. */
  step(agent: string, indent: string, step: Step): string
  /** Whether such a line has room for all of it. */
  fits(agent: string, indent: string, step: Pick<Step, 'word' | 'body'>): boolean
  /** A line that goes on from the one before. */
  more(agent: string, indent: string, line: MoreLine): string
  /** A line that is all ours. */
  own(agent: string, text: string): string
}

/** What the first line of a run tells besides who works on what. */
export interface SessionFacts {
  /** By what name the recording can be found, such as `7f3a`. */
  recording?: string | undefined
  /** What the run may cost, such as `$5.00`. */
  budget?: string | undefined
  /** The version of the agent, where its stream does not report it. */
  agentVersion?: string | undefined
}

/** What happened, in a word, and what more there is to say of it. */
export interface Step {
  role: Role
  word: string
  body: string
  facts?: Fact[]
}

/** A line that goes on from the one before. Lead and tail are ours, the body is the agent's. */
export interface MoreLine {
  lead: string
  body: string
  tail?: string | undefined
  facts?: Fact[]
}

/** Makes lines in a style, under the name of the agent or another. */
export function createLineMaker({colors, symbols, width}: LineStyle, name?: string): LineMaker {
  const fit = {width, more: symbols.more}

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
      return layOut({head, body: isWide ? body : join(recording)}, fit)
    },
    step(agent, indent, {role, word, body, facts = []}) {
      const colon = body === '' ? '' : ': '
      const named = role === 'bad' ? `${word}${colon.trim()}` : word
      const rest = role === 'bad' ? colon.slice(1) : colon
      const shown = cutText(escape(named), MAX_WORD_LENGTH)
      const head = `${frame(agent)} ${indent}${colors[role](shown)}${rest}`
      return layOut({head, body: escape(body), facts}, fit)
    },
    fits(agent, indent, {word, body}) {
      const line = `${frame(agent)} ${indent}${word}: ${body}`
      return width === undefined || textWidth(line) <= width
    },
    more(agent, indent, {lead, body, tail, facts = []}) {
      const head = `${frame(agent)} ${indent}${lead}`
      return layOut({head, body: escape(body), tail, facts}, fit)
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

/** The word before the colon; tools of servers can have long names. */
const MAX_WORD_LENGTH = 40
/** Nobody reads a line of more than this, and making it harmless takes its time. */
const MAX_LINE_LENGTH = 2000
