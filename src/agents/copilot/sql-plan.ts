import type {PlanItem} from '../../core/events/events.ts'
import {readPlan} from '../../core/events/plan.ts'

/** Returns the list after a successful query; `undefined` when it did not change. */
type SqlPlanReader = (query: string, output: string) => PlanItem[] | undefined

interface Todo {
  title: string
  status: string
}

/** Creates a reader of the to-do list of Copilot, which is a table: tracked by the SQL queries of the agent. */
export function createSqlPlanReader(): SqlPlanReader {
  const todos = new Map<string, Todo>()
  return (query, output) => {
    const before = JSON.stringify([...todos])
    for (const words of readStatements(query)) {
      if (words.some((word) => word.toLowerCase() === 'todos')) run(words, output)
    }
    if (JSON.stringify([...todos]) === before) return undefined
    return readPlan([...todos.values()])
  }

  /** Applies only statements that are understood completely; the next printed table corrects the rest. */
  function run(words: string[], output: string): void {
    const where = indexOf(words, 'where')
    switch (words[0]?.toLowerCase()) {
      case 'insert':
      case 'replace':
        return insert(words)
      case 'update': {
        const set = words.slice(indexOf(words, 'set'), where)
        const status = valueOf(set, 'status')
        const title = valueOf(set, 'title')
        for (const [id, todo] of select(words.slice(where))) {
          todos.set(id, {title: title ?? todo.title, status: status ?? todo.status})
        }
        return
      }
      case 'delete':
        for (const [id] of select(words.slice(where))) todos.delete(id)
        return
      case 'select':
        if (!words.some((word) => PARTIAL.has(word.toLowerCase()))) replaceAll(output)
    }
  }

  function insert(words: string[]): void {
    const start = indexOf(words, 'values')
    const isConditional = words.some((word) => word.toLowerCase() === 'conflict')
    const columns = readGroups(words.slice(0, start))[0] ?? COLUMNS
    const keepsOld = words.some((word) => word.toLowerCase() === 'ignore')
    if (isConditional) return
    for (const values of readGroups(words.slice(start))) {
      const field = (name: string): string | undefined => {
        const value = values[columns.findIndex((column) => column.toLowerCase() === name)]
        return value === undefined ? undefined : unquote(value)
      }
      const id = field('id')
      if (id === undefined || (keepsOld && todos.has(id))) continue
      todos.set(id, {title: field('title') ?? id, status: field('status') ?? 'pending'})
    }
  }

  /** The rows that match a condition: an id, a list of ids, or a status. */
  function select(condition: string[]): [string, Todo][] {
    const rows = [...todos]
    if (condition.length === 0) return rows
    const [, column = '', operator = '', ...rest] = condition
    const isList = operator.toLowerCase() === 'in' && rest[0] === '(' && rest.at(-1) === ')'
    const values = isList ? rest.slice(1, -1).filter((word) => word !== ',') : rest
    if (!isList && (operator !== '=' || rest.length !== 1)) return []
    const wanted = new Set(values.map(unquote))
    if (column.toLowerCase() === 'id') return rows.filter(([id]) => wanted.has(id))
    return column.toLowerCase() === 'status'
      ? rows.filter(([, {status}]) => wanted.has(status))
      : []
  }

  /** A printed table replaces the list. */
  function replaceAll(output: string): void {
    const [header, , ...rows] = output.split('\n').filter((line) => line.startsWith('|'))
    const columns = readCells(header ?? '')
    const [id, title, status] = ['id', 'title', 'status'].map((name) => columns.indexOf(name))
    if (id === undefined || title === undefined || status === undefined) return
    if (Math.min(id, title, status) < 0) return
    todos.clear()
    for (const cells of rows.map(readCells)) {
      todos.set(cells[id] ?? '', {title: cells[title] ?? '', status: cells[status] ?? ''})
    }
  }
}

const COLUMNS = ['id', 'title', 'description', 'status']

/** With these words a query returns only some of the rows, or more than rows. */
const PARTIAL = new Set(['where', 'limit', 'join', 'group', 'count', 'distinct'])

/** Longer than any real to-do list: parsing is slow. */
const MAX_QUERY_LENGTH = 100_000

function readStatements(query: string): string[][] {
  const statements: string[][] = [[]]
  if (query.length > MAX_QUERY_LENGTH) return []
  const code = query.replaceAll(/^\s*--[^\n]*$/gm, '')
  for (const word of code.match(/'(?:[^']|'')*'|[(),;=]|[^\s(),;=']+/g) ?? []) {
    if (word === ';') statements.push([])
    else statements.at(-1)?.push(word)
  }
  return statements
}

/** The position of a word; the end of the text when it is missing. */
function indexOf(words: string[], name: string): number {
  const index = words.findIndex((word) => word.toLowerCase() === name)
  return index === -1 ? words.length : index
}

function valueOf(words: string[], name: string): string | undefined {
  const index = indexOf(words, name)
  const value = words[index + 1] === '=' ? words[index + 2] : undefined
  return value !== undefined && isText(value) ? unquote(value) : undefined
}

/** The top-level lists in parentheses. */
function readGroups(words: string[]): string[][] {
  const groups: string[][] = []
  let depth = 0
  for (const word of words) {
    if (word === '(') {
      if (depth++ === 0) groups.push([])
    } else if (word === ')') depth--
    else if (depth === 1 && word !== ',') groups.at(-1)?.push(word)
  }
  return groups
}

function readCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function isText(word: string): boolean {
  return word.startsWith("'")
}

function unquote(word: string): string {
  return isText(word) ? word.slice(1, -1).replaceAll("''", "'") : word
}
