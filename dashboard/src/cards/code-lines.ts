import {isRecord} from '../../../src/core/wire/json.ts'

/** A piece of a line of code; without a class where it is like any other text. */
interface CodeRun {
  text: string
  className?: string | undefined
}

/** A line of code. */
export type CodeLine = CodeRun[]

/** The lines of a tree of tokens, as highlight.js builds it; each piece has the class of its innermost token. */
export function toCodeLines(emitter: unknown): CodeLine[] {
  let line: CodeLine = []
  const lines: CodeLine[] = [line]
  // A list of what is to come instead of calls within calls: a tree can be as deep as its text is long.
  const open: {node: unknown; className: string | undefined}[] = [
    {node: isRecord(emitter) ? emitter['rootNode'] : undefined, className: undefined},
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const {node, className} = next
    if (typeof node === 'string') {
      for (const [at, text] of node.split('\n').entries()) {
        if (at > 0) lines.push((line = []))
        if (text !== '') line.push({text, className})
      }
    } else if (isRecord(node) && Array.isArray(node['children'])) {
      const name = findClass(node['scope']) ?? className
      for (const child of node['children'].toReversed()) open.push({node: child, className: name})
    }
  }
  return lines
}

/** Many scopes, few colours. A scope is a word of highlight.js, never one of the text. */
function findClass(scope: unknown): string | undefined {
  if (typeof scope !== 'string') return undefined
  return CLASSES.get(scope) ?? CLASSES.get(scope.split('.', 1)[0] ?? '')
}

const CLASSES = new Map([
  ...list('hk', 'keyword literal built_in type meta selector-tag selector-pseudo doctag'),
  ...list('hs', 'string regexp char symbol link code quote addition'),
  ...list('hn', 'number variable template-variable selector-attr attribute deletion bullet'),
  ...list('hc', 'comment formula'),
  ...list('hf', 'title name section tag attr property selector-id selector-class'),
  // Within a string or a tag it is like what is around that.
  ...list('', 'subst params'),
])

function list(className: string, scopes: string): [string, string][] {
  return scopes.split(' ').map((scope) => [scope, className])
}
