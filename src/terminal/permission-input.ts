import {isRecord, objectsAt, textAt, toText, type JsonObject} from '../core/wire/json.ts'
import {readChange} from './describe.ts'

/** The input of a permission request, complete: the user must be able to see everything that is allowed. */
export interface PermissionInput {
  lines: InputLine[]
  /** The fields that are not in `lines`. */
  others: string[]
  /** The description by the agent. */
  note: string
}

/** A line of an input; in a change it has a sign when it is removed or added. */
export interface InputLine {
  sign?: '-' | '+' | undefined
  text: string
}

/** Reads the input of any tool: a command, a change of a file, or any other input as JSON. */
export function readPermissionInput(input: unknown): PermissionInput {
  return (
    (isRecord(input) ? (readCommand(input) ?? readFileChange(input)) : undefined) ?? readJson(input)
  )
}

function readCommand(input: JsonObject): PermissionInput | undefined {
  const name = ['command', 'cmd'].find((each) => isText(input[each]))
  if (name === undefined) return undefined
  const note = textAt(input, 'description') ?? ''
  const known = note === '' ? [name] : [name, 'description']
  return {lines: toLines(textAt(input, name) ?? ''), others: listOthers(input, known), note}
}

const PATHS = ['file_path', 'filePath', 'path', 'notebook_path']
const CHANGES = ['old_string', 'oldString', 'old_str', 'new_string', 'newString', 'new_str']

function readFileChange(input: JsonObject): PermissionInput | undefined {
  const path = PATHS.find((each) => isText(input[each]))
  if (path === undefined) return undefined
  const head = {text: textAt(input, path) ?? ''}
  const edits = objectsAt(input, 'edits')
  if (Array.isArray(input['edits']) && edits.length === input['edits'].length) {
    const changes = edits.map(toChange)
    if (changes.every((lines) => lines.length > 0)) {
      return {
        lines: [head, ...changes.flat()],
        others: listOthers(input, [path, 'edits']),
        note: '',
      }
    }
  }
  const change = toChange(input)
  if (change.length > 0) {
    const others = listOthers(input, [path, ...CHANGES, ...EDIT_OPTIONS])
    return {lines: [head, ...change], others, note: ''}
  }
  if (!isText(input['content'])) return undefined
  const content = toLines(input['content'].replace(/\n$/, ''))
  const added = content.map(({text}): InputLine => ({sign: '+', text}))
  return {lines: [head, ...added], others: listOthers(input, [path, 'content']), note: ''}
}

const EDIT_OPTIONS = ['replace_all', 'replaceAll']

/** The lines of one edit, with the options that change its meaning. */
function toChange(edit: JsonObject): InputLine[] {
  const lines = readChange(edit).map(([sign, text]): InputLine => ({sign, text}))
  if (lines.length === 0) return []
  const options = EDIT_OPTIONS.filter((name) => edit[name] === true)
  return [...options.map((name) => ({text: `${name}: true`})), ...lines]
}

function readJson(input: unknown): PermissionInput {
  return {lines: toLines(toText(input, 2)), others: [], note: ''}
}

function listOthers(input: JsonObject, known: readonly string[]): string[] {
  return Object.entries(input)
    .filter(([name]) => !known.includes(name))
    .map(([name, value]) => `${name}: ${toJson(value)}`)
}

function toJson(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : toText(value) || 'null'
}

function toLines(text: string): InputLine[] {
  return text.split('\n').map((line) => ({text: line}))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
