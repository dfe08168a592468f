import {
  contentBlocks,
  contentString,
  isText,
  isToolResult,
  isToolUse,
  type ClaudeEvent,
  type ContentBlock,
  type MalformedEvent,
  type ResultEvent,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agents/claude/index.ts'

import type {Colors} from '../terminal/colors.ts'
import {cutText, isRecord, makeHarmless} from '../core/index.ts'

/**
 * Turns an event of Claude's into the lines that a person wants to see of it: often none. Fields
 * may be missing or of another type than they should be; that is no reason to fail.
 */
export function formatClaudeEvent(event: ClaudeEvent, colors: Colors): string[] {
  const frame = colors.frame('[claude]')
  if (event.type === 'malformed') return [`${frame} ${formatMalformed(event, colors)}`]
  if (event.type === 'result') return [`${frame} ${formatResult(event, colors)}`]
  if (event.type === 'other') {
    return [`${frame} ${colors.fact('Unknown: a record of a new type, kept')}`]
  }
  const isNested = 'parent_tool_use_id' in event && typeof event.parent_tool_use_id === 'string'
  const indent = isNested ? colors.frame('   │ ') : ' '
  return contentBlocks(event)
    .map((block) => formatBlock(block, event.type !== 'user', colors))
    .filter((line) => line !== undefined)
    .map((line) => `${frame}${indent}${line}`)
}

function formatMalformed({reason, size}: MalformedEvent, colors: Colors): string {
  const what = reason === 'line-too-long' ? 'too long to keep' : 'not JSON, kept'
  return `${colors.bad('Malformed:')} a line of ${size} bytes, ${what}`
}

function formatBlock(block: ContentBlock, spoken: boolean, colors: Colors): string | undefined {
  if (spoken && isText(block)) return formatText(block.text)
  if (spoken && isToolUse(block)) return formatToolUse(block, colors)
  if (isToolResult(block) && block.is_error === true) return formatToolError(block, colors)
  return undefined
}

function formatText(text: unknown): string | undefined {
  const line = firstLine(text, 120)
  return line === '' ? undefined : `"${line}"`
}

function formatToolUse({name, input}: ToolUseBlock, colors: Colors): string {
  const word =
    name === 'Task' || name === 'Agent' ? colors.task('Task') : colors.tool(firstLine(name, 60))
  const summary = summarize(input)
  return summary === '' ? word : `${word}: ${summary}`
}

function formatToolError(block: ToolResultBlock, colors: Colors): string {
  const content = contentString(block).replaceAll(/<\/?tool_use_error>/g, '')
  const line = firstLine(content, 120) || firstLine(block.error, 120)
  return `${colors.bad('ERROR:')} ${line || 'no reason given'}`
}

function formatResult(event: ResultEvent, colors: Colors): string {
  const {subtype, errors, result, is_error: isError} = event
  const cost = [event.total_cost_usd, event.cost_usd, event.total_cost].find(Number.isFinite)
  const price = cost === undefined ? '' : ` (cost: ${colors.number(`$${cost.toFixed(4)}`)})`
  const failed = isError === true || (typeof subtype === 'string' && subtype.startsWith('error'))
  if (!failed) return `${colors.good('Complete')}${price}`
  const reasons = [...(Array.isArray(errors) ? errors : [errors]), result, subtype]
  const reason = reasons.map((why) => firstLine(why, 120)).find((why) => why !== '')
  return `${colors.bad('Failed:')} ${reason ?? 'no reason given'}${price}`
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
  return SUMMARIES.map(([name, length]) => firstLine(input[name], length)).find(Boolean) ?? ''
}

/** The first line of a text, safe to print; nothing of what is not text. */
function firstLine(text: unknown, length: number): string {
  if (typeof text !== 'string') return ''
  const [first = '', rest] = text.trim().split('\n', 2)
  const line = cutText(first.trimEnd(), length)
  return makeHarmless(rest === undefined || line.endsWith('…') ? line : `${line} …`)
}
