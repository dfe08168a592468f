import {isRecord} from '../../../src/core/wire/json.ts'
import styles from './code.module.css'

/** A part of a line of code; without a class for plain text. */
interface CodeRun {
  text: string
  className?: string | undefined
}

/** A line of code. */
export type CodeLine = CodeRun[]

/** The lines of a token tree, as highlight.js builds it; each part has the class of its innermost token. */
export function toCodeLines(emitter: unknown): CodeLine[] {
  let line: CodeLine = []
  const lines: CodeLine[] = [line]
  // Iterative: a tree can be as deep as its text is long.
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

/** Maps many scopes to few colours. A scope is a name of highlight.js, never agent text. */
function findClass(scope: unknown): string | undefined {
  if (typeof scope !== 'string') return undefined
  return CLASSES.get(scope) ?? CLASSES.get(scope.split('.', 1)[0] ?? '')
}

const CLASSES = new Map<string, string | undefined>([
  ...list(styles.keyword, 'keyword literal built_in type meta selector-tag selector-pseudo doctag'),
  ...list(styles.string, 'string regexp char symbol link code quote addition'),
  ...list(
    styles.number,
    'number variable template-variable selector-attr attribute deletion bullet',
  ),
  ...list(styles.comment, 'comment formula'),
  ...list(styles.name, 'title name section tag attr property selector-id selector-class'),
  // Inside a string or a tag it inherits the colour.
  ...list('', 'subst params'),
])

function list(className: string | undefined, scopes: string): [string, string | undefined][] {
  return scopes.split(' ').map((scope) => [scope, className])
}
