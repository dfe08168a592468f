import {
  contentString,
  isText,
  isToolResult,
  isToolUse,
  contentBlocks,
  type ClaudeEvent,
  type ContentBlock,
  type ResultEvent,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agents/claude/index.ts'
import {isRecord} from '../core/index.ts'
import type {Colors} from '../terminal/colors.ts'
import {cutText, makeHarmless} from '../terminal/make-harmless.ts'

/** Turns an event of Claude's into the lines that a person wants to see of it: often none. */
export function formatClaudeEvent(event: ClaudeEvent, colors: Colors): string[] {
  const frame = colors.frame('[claude]')
  if (event.type === 'malformed') {
    return [
      `${frame} ${colors.bad('Malformed:')} a line of ${event.size} bytes that is not JSON, kept`,
    ]
  }
  if (event.type === 'other') {
    return [`${frame} ${colors.fact('Unknown: a record of a new type, kept')}`]
  }
  if (event.type === 'result') return [`${frame} ${formatResult(event, colors)}`]
  if (event.type !== 'assistant' && event.type !== 'user') return []
  const indent = typeof event.parent_tool_use_id === 'string' ? colors.frame('   │ ') : ' '
  return contentBlocks(event)
    .map((block) => formatBlock(block, event.type === 'assistant', colors))
    .filter((line) => line !== undefined)
    .map((line) => `${frame}${indent}${line}`)
}

function formatBlock(block: ContentBlock, spoken: boolean, colors: Colors): string | undefined {
  if (spoken && isText(block)) return formatText(block.text)
  if (spoken && isToolUse(block)) return formatToolUse(block, colors)
  if (isToolResult(block) && block.is_error === true) return formatToolError(block, colors)
  return undefined
}

function formatText(text: string): string | undefined {
  const line = firstLine(text)
  return line === '' ? undefined : `"${cutText(line, 120)}"`
}

function formatToolUse({name, input}: ToolUseBlock, colors: Colors): string {
  const isTask = name === 'Task' || name === 'Agent'
  const word = isTask ? colors.task('Task') : colors.tool(makeHarmless(name))
  const summary = firstLine(summarize(input))
  return summary === '' ? word : `${word}: ${summary}`
}

function formatToolError(block: ToolResultBlock, colors: Colors): string {
  const text = contentString(block).replaceAll(/<\/?tool_use_error>/g, '')
  return `${colors.bad('ERROR:')} ${cutText(firstLine(text), 120)}`
}

function formatResult(event: ResultEvent, colors: Colors): string {
  const failed = event.is_error === true || event.subtype?.startsWith('error') === true
  const cost = event.total_cost_usd ?? event.cost_usd
  const price = cost === undefined ? '' : ` (cost: ${colors.number(`$${cost.toFixed(4)}`)})`
  if (!failed) return `${colors.good('Complete')}${price}`
  const why = event.errors?.[0] ?? event.result ?? event.subtype ?? 'no reason given'
  return `${colors.bad('Failed:')} ${cutText(firstLine(why), 120)}${price}`
}

/** The field of a tool's input that says most, and how much of it. */
const SUMMARIES = [
  ['file_path', 200],
  ['command', 60],
  ['description', 40],
  ['pattern', 40],
  ['url', 50],
  ['query', 50],
] as const

function summarize(input: unknown): string {
  if (!isRecord(input)) return ''
  for (const [name, length] of SUMMARIES) {
    const value = input[name]
    if (typeof value === 'string' && value !== '') return cutText(firstLine(value), length)
  }
  return ''
}

function firstLine(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n')
  return makeHarmless(first.trimEnd()) + (rest.length > 0 ? ' …' : '')
}
