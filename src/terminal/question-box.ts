import type {QuestionOption, UserQuestion} from '../core/events/question.ts'
import {escapeControls} from '../core/text/text.ts'
import {cutToWidth, wrapAnywhere, wrapWords, type ScreenStyle} from './layout.ts'
import {formatNeedsYou, type RunStatus} from './status-line.ts'

/** One question of a request, as it is shown. */
export interface ShownQuestion {
  question: UserQuestion
  /** The index of the question, from 0. */
  index: number
  count: number
  /** The indexes of the chosen options of a question with several answers. */
  chosen: ReadonlySet<number>
  askedAt: number
  status: RunStatus
  /** Maximum number of rows of the question and its options; descriptions are left out first. */
  maxRows: number
}

/** Options that have a key. */
const MAX_OPTION_KEYS = 9

/** Formats the rows that replace the status line while the agent waits for the answer to a question. */
export function formatQuestion(shown: ShownQuestion, style: ScreenStyle): string[] {
  const {question, index, count, chosen, askedAt, status, maxRows} = shown
  const name = count > 1 ? `Question ${index + 1} of ${count}` : 'Question'
  const head = question.header === undefined ? '' : `${question.header}: `
  const text = wrapText(head + question.text, INDENT, MAX_QUESTION_ROWS, style)
  const layouts = [MAX_DESCRIPTION_ROWS, 1, 0].map((rows) =>
    question.options.flatMap((option, at) =>
      formatOption(option, at, question.isMultiple ? chosen.has(at) : undefined, rows, style),
    ),
  )
  const options = layouts.find((rows) => text.length + rows.length <= maxRows) ?? layouts.at(-1)
  return [
    ...formatNeedsYou({name, askedAt}, status, style),
    '',
    ...text,
    '',
    ...(options ?? []),
    ...(question.options.length > 0 ? [''] : []),
    ...wrapKeys(listKeys(shown), style),
  ]
}

const INDENT = '  '
const MAX_QUESTION_ROWS = 6
const MAX_LABEL_ROWS = 2
const MAX_DESCRIPTION_ROWS = 2

function formatOption(
  {label, description = ''}: QuestionOption,
  at: number,
  isChosen: boolean | undefined,
  maxRows: number,
  style: ScreenStyle,
): string[] {
  const key = at < MAX_OPTION_KEYS ? `[${at + 1}] ` : '    '
  const mark = isChosen === undefined ? '' : isChosen ? '(x) ' : '( ) '
  const indent = INDENT + ' '.repeat(key.length + mark.length)
  const [first = '', ...rest] = wrapText(label, indent, MAX_LABEL_ROWS, style)
  const about = maxRows === 0 ? [] : wrapText(description, indent, maxRows, style)
  const cut = (row: string) => cutToWidth(row, style.width, style.symbols.more)
  return [
    cut(INDENT + key + mark + first.slice(indent.length)),
    ...rest.map(cut),
    ...about.map(cut).map(style.colors.fact),
  ]
}

function wrapText(text: string, indent: string, maxRows: number, style: ScreenStyle): string[] {
  const room = Math.max(1, style.width - indent.length)
  const words = escapeControls(text.replaceAll(/\s+/g, ' '))
  return wrapWords(words, room, maxRows, style.symbols.more).map((row) => indent + row)
}

function listKeys({question, index}: ShownQuestion): string[] {
  const {options, isMultiple} = question
  const last = Math.min(options.length, MAX_OPTION_KEYS)
  const digits = last === 1 ? '1' : `1-${last}`
  const choose = isMultiple ? [`[${digits}] select`, '[Enter] send'] : [`[${digits}] answer`]
  return [
    ...(last === 0 ? [] : choose),
    '[o] other answer',
    ...(index > 0 ? ['[b] back'] : []),
    '[d] do not answer',
    '[D] do not answer, say why',
    '[x] stop',
  ]
}

function wrapKeys(keys: readonly string[], style: ScreenStyle): string[] {
  const room = Math.max(1, style.width - INDENT.length)
  const rows: string[] = []
  for (const key of keys) {
    const joined = `${rows.at(-1)}  ${key}`
    if (rows.length > 0 && joined.length <= room) rows[rows.length - 1] = joined
    else rows.push(key)
  }
  return rows.flatMap((row) =>
    wrapAnywhere(row, room, row.length).rows.map((part) => INDENT + part),
  )
}
