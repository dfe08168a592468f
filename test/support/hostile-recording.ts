import {
  assistant,
  assistantText,
  init,
  result,
  toolResult,
  toolUse,
  toStream,
} from '../fake-agents/lines.js'
import {HOSTILE} from './hostile.ts'

/** A recording, and how many malformed and unknown records it has. */
export interface HostileRecording {
  bytes: Buffer
  malformed: number
  unknown: number
}

/** Longer texts are used in a few fields only. */
const MAX_SHORT_LENGTH = 20_000

/** Tools of all kinds, and the main field of each. */
const TOOLS: readonly (readonly [name: string, field: string])[] = [
  ['Bash', 'command'],
  ['Read', 'file_path'],
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['Grep', 'pattern'],
  ['Glob', 'pattern'],
  ['WebFetch', 'url'],
  ['WebSearch', 'query'],
  ['Task', 'description'],
  ['TodoWrite', 'todos'],
  ['mcp__lab__add', 'a'],
  ['UnknownTool', 'field'],
]

/** All hostile texts, each truncated to a length. */
function listTexts(maxLength: number): string[] {
  return Object.values(HOSTILE).map((text) => text.slice(0, maxLength))
}

/** A stream of Claude in which every text is hostile. */
export function makeHostileClaude(maxLength: number): HostileRecording {
  const texts = listTexts(maxLength)
  const short = texts.filter(({length}) => length <= MAX_SHORT_LENGTH)
  const at = (index: number) => short[index % short.length] ?? ''
  const records: (object | string)[] = [
    init({
      cwd: `/tmp/${at(1)}`,
      model: at(2),
      session_id: at(3),
      permissionMode: at(4),
      claude_code_version: at(5),
      mcp_servers: [{name: at(6), status: at(7)}],
      tools: [at(8)],
    }),
  ]
  for (const text of texts) records.push(assistantText(text))
  for (const [index, text] of short.entries()) {
    const [name, field] = TOOLS[index % TOOLS.length] ?? ['Bash', 'command']
    const id = `toolu_${index}`
    const isPlan = name === 'TodoWrite'
    const todos = [{content: text, activeForm: text, status: 'in_progress'}]
    const input = {
      [field]: isPlan ? todos : text,
      ...(isPlan ? {} : {content: text, old_string: at(index + 1), new_string: text}),
      description: text,
      [text.slice(0, 200)]: text,
    }
    if (index % 3 === 0) {
      records.push(assistant([{type: 'thinking', thinking: text, signature: text}]))
    }
    records.push(
      toolUse(id, index % 5 === 0 ? text.slice(0, 300) : name, input),
      toolResult(id, index % 3 === 0 ? [{type: 'text', text}] : text, index % 4 === 0),
    )
  }
  for (const [index, text] of texts.filter(({length}) => length > MAX_SHORT_LENGTH).entries()) {
    const id = `toolu_long_${index}`
    records.push(
      toolUse(id, 'Bash', {command: `echo ${index}`}),
      toolResult(id, text, index % 2 === 0),
    )
  }
  const unknown = short.slice(0, 20)
  for (const text of unknown) records.push({type: text.slice(0, 300), [text.slice(0, 100)]: text})
  const malformed = [...unknown.map((text) => `{"broken": ${text.replaceAll('\n', ' ')}`), 'plain']
  records.push(...malformed, assistantText('The end of it.'))
  const last = result(HOSTILE['images'] ?? '', {
    is_error: true,
    subtype: 'error_during_execution',
    errors: [at(9)],
    model: at(10),
  })
  const invalid = Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x0a])
  const bytes = Buffer.concat([
    Buffer.from(toStream(records)),
    invalid,
    Buffer.from(toStream([last])),
  ])
  return {bytes, malformed: malformed.length + 1, unknown: unknown.length}
}

/** Hostile output of a program that is not an agent. */
export function makeHostileText(maxLength: number): Buffer {
  return Buffer.concat([
    Buffer.from(listTexts(maxLength).join('\n')),
    Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]),
    Buffer.from('no end'),
  ])
}
