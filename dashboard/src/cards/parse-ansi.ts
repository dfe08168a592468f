// oxlint-disable no-control-regex -- it is about them
import {applySgr, toClassName, type AnsiStyle} from './ansi-style.ts'
import {createAnsiLine, type AnsiRun} from './ansi-line.ts'

/**
 * Parses terminal output line by line: colours become styles, carriage returns and backspaces overwrite, and all
 * other control sequences are dropped.
 */
export function parseAnsi(text: string): AnsiRun[][] {
  const lines: AnsiRun[][] = []
  let style: AnsiStyle = {}
  let className = ''
  let line = createAnsiLine()
  let at = 0
  while (at < text.length) {
    const plain = matchAt(PLAIN, text, at)
    if (plain !== undefined) {
      line.write(plain[0], className)
      at += plain[0].length
    } else at += takeControl(at)
  }
  if (text !== '' && !text.endsWith('\n')) lines.push(line.toRuns())
  return lines

  /** Applies a control sequence, and returns its length. */
  function takeControl(start: number): number {
    const sequence = matchAt(CONTROL_SEQUENCE, text, start)
    if (sequence !== undefined) {
      const [all, parameters = '', final = ''] = sequence
      if (final === 'm' && !/[<-?]/.test(parameters)) {
        style = applySgr(style, parameters)
        className = toClassName(style)
      } else if (final === 'K') line.erase(parameters)
      return all.length
    }
    const other = matchAt(STRING, text, start) ?? matchAt(ESCAPE, text, start)
    if (other !== undefined) return other[0].length
    const character = text.charAt(start)
    if (character === '\n') {
      lines.push(line.toRuns())
      line = createAnsiLine()
    } else if (character === '\r') line.goToStart()
    else if (character === '\b') line.goBack()
    else if (character === '\t') line.tab(className)
    else if (!SILENT.test(character)) line.write(character, className)
    return 1
  }
}

const PLAIN = /[^\0-\x1f\x7f-\x9f]+/y

/** CSI with its parameters and its final letter. */
const CONTROL_SEQUENCE = /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])/y

/** Titles, links and pictures, up to their end: one that does not end on its line must not hide the next. */
const STRING =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x90\x98\x9c-\x9f\n]*(?:[\x07\x18\x1a\x9c]|\x1b\\)/y

/** All other escapes, and truncated ones. */
const ESCAPE = /\x1b(?:[ -/]*[0-~])?|[\x90\x98\x9b-\x9f]/y

/** Controls that print nothing and occur in normal output. */
const SILENT = /[\0\x07\x0e\x0f\x7f]/

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}
