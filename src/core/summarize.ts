import type {ToolKind} from './events.ts'
import {isRecord} from './json.ts'
import {cutText, makeHarmless} from './text.ts'

/** Where each kind of tool has the one thing to know, by what agents call it, and how much of it to show. */
const SUMMARIES: Readonly<Record<ToolKind, Summary>> = {
  Read: {names: 'file_path filePath path absolute_path target_file paths files', length: 1000},
  Write: {names: 'file_path filePath path target_file', length: 1000},
  Edit: {names: 'file_path filePath path target_file paths changes', length: 1000},
  Bash: {names: 'command cmd commands script description', length: 60},
  Grep: {names: 'pattern query regex', length: 40},
  Glob: {names: 'pattern glob glob_pattern path dir_path', length: 40},
  WebFetch: {names: 'url urls prompt', length: 50},
  WebSearch: {names: 'url query search_term queries', length: 50},
  Task: {names: 'description name title prompt', length: 40},
  Todo: {names: 'subject', length: 60},
  Mcp: {names: 'description title query name path command url sql message text', length: 60},
  Other: {
    names: 'description title subject query name skill path file_path command url',
    length: 60,
  },
}

interface Summary {
  names: string
  length: number
}

/** Most of a list says as much as all of it. */
const MOST_ITEMS = 10

/**
 * The one thing to know about the input of a tool: a path, a command, a pattern. On one line, cut by
 * the characters that people see, with control characters made harmless.
 */
export function summarize(tool: ToolKind, input: unknown): string {
  if (!isRecord(input)) return ''
  const {names, length} = SUMMARIES[tool]
  for (const name of names.split(' ')) {
    const text = Object.hasOwn(input, name) ? shorten(input[name], length) : ''
    if (text !== '') return text
  }
  return ''
}

function shorten(value: unknown, length: number): string {
  if (typeof value === 'string') return cutText(oneLine(value, length), length)
  if (!Array.isArray(value)) return ''
  const texts = value.slice(0, MOST_ITEMS).map((item) => {
    const text: unknown = isRecord(item) ? (item['path'] ?? item['command']) : item
    return typeof text === 'string' ? oneLine(text, length) : ''
  })
  return cutText(texts.filter(Boolean).join(', '), length)
}

/** A command of many lines on one, as far as it will be seen. */
function oneLine(text: string, length: number): string {
  const start = text.slice(0, length * 16).trim()
  return makeHarmless(start.replaceAll(/\s*\n\s*/g, ' '))
}
