import type {ToolKind} from './events.ts'
import {isRecord} from '../wire/json.ts'
import {cutText, escapeControls} from '../text/text.ts'

/** The input fields that summarize each kind of tool, in order of preference, and the length to show. */
const SUMMARIES: Readonly<Record<ToolKind, Summary>> = {
  Read: show(1000, 'file_path filePath path absolute_path target_file paths files'),
  Write: show(1000, 'file_path filePath path target_file'),
  Edit: show(1000, 'file_path filePath path target_file notebook_path paths changes'),
  Bash: show(60, 'command cmd commands script description'),
  Grep: show(40, 'pattern query regex queries'),
  Glob: show(40, 'pattern glob glob_pattern path dir_path'),
  WebFetch: show(50, 'url urls requests query prompt'),
  WebSearch: show(50, 'url query search_term queries'),
  Task: show(40, 'description name title task prompt'),
  Todo: show(60, 'subject'),
  Mcp: show(60, 'description title query name path command url sql message text'),
  Other: show(60, 'description title subject query name skill path file_path command url message'),
}

interface Summary {
  names: readonly string[]
  length: number
}

function show(length: number, names: string): Summary {
  return {names: names.split(' '), length}
}

const MAX_ITEMS = 10

/**
 * The most useful part of the input of a tool, such as a path, a command or a pattern: on one line, cut by visible
 * characters, with control characters escaped.
 */
export function summarize(tool: ToolKind, input: unknown): string {
  if (!isRecord(input)) return ''
  const {names, length} = SUMMARIES[tool]
  for (const name of names) {
    const text = shorten(input[name], length)
    if (text !== '') return text
  }
  return ''
}

function shorten(value: unknown, length: number): string {
  if (typeof value === 'string') return cutText(oneLine(value, length), length)
  if (!Array.isArray(value)) return ''
  const texts = value.slice(0, MAX_ITEMS).map((item) => {
    const text: unknown = isRecord(item) ? (item['path'] ?? item['command'] ?? item['url']) : item
    return typeof text === 'string' ? oneLine(text, length) : ''
  })
  return cutText(texts.filter(Boolean).join(', '), length)
}

/** Joins the lines of a text, as far as they are shown. */
function oneLine(text: string, length: number): string {
  const start = text.slice(0, length * 16)
  if (!start.includes('\n')) return escapeControls(start.trim())
  const lines = start.split('\n').map((line) => line.trim())
  return escapeControls(lines.filter(Boolean).join(' '))
}
