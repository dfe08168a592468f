import {useState, type ReactNode} from 'react'
import {isRecord} from '../../../src/core/wire/json.ts'
import common from '../ui/common.module.css'
import {formatNumber} from '../ui/figures.ts'
import styles from './json-tree.module.css'
import {MoreButton, useMore} from '../ui/more.tsx'
import {previewJson} from './preview-json.ts'
import {escapeControlsMultiline} from './readable.ts'

const FIRST_CHILDREN = 50
const FIRST_TEXT = 300
const MAX_TEXT = 64_000
const MAX_NAME = 200
const MAX_DEPTH = 60
/** Deeper levels are not indented further: the page has a limited width. */
const MAX_INDENT = 12

/** A value as a tree: the first level is open, the rest opens on request. */
export function JsonTree({value}: {value: unknown}) {
  return (
    <div className={styles.tree}>
      <JsonNode value={value} depth={0} />
    </div>
  )
}

function JsonNode({
  name,
  value,
  depth,
}: {
  name?: string | undefined
  value: unknown
  depth: number
}) {
  const [isOpen, setOpen] = useState(depth === 0)
  const count = countChildren(value)
  const label = name !== undefined && (
    <>
      <b className={styles.name}>{escapeControlsMultiline(name.slice(0, MAX_NAME))}</b>
      {': '}
    </>
  )
  if (count === 0 || depth >= MAX_DEPTH) {
    return (
      <div className={styles.leaf}>
        {label}
        {count === 0 ? <Leaf value={value} /> : <span>nested too deeply</span>}
      </div>
    )
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span>
          {isOpen ? describe(value, count) : escapeControlsMultiline(previewJson(value, 80))}
        </span>
      </summary>
      {isOpen && (
        <div className={depth < MAX_INDENT ? styles.children : undefined}>
          <Children value={value} count={count} depth={depth + 1} />
        </div>
      )}
    </details>
  )
}

function countChildren(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return isRecord(value) ? Object.keys(value).length : 0
}

function describe(value: unknown, count: number): string {
  return Array.isArray(value) ? `[${formatNumber(count)}]` : `{${formatNumber(count)}}`
}

function Children({value, count, depth}: {value: unknown; count: number; depth: number}) {
  const {shown, button} = useMore(count, FIRST_CHILDREN, 'fields')
  return (
    <>
      {listChildren(value, shown).map(([name, child]) => (
        <JsonNode key={name} name={name} value={child} depth={depth} />
      ))}
      {button}
    </>
  )
}

function listChildren(value: unknown, shown: number): [string, unknown][] {
  if (Array.isArray(value)) {
    return value.slice(0, shown).map((child: unknown, at) => [String(at), child])
  }
  return isRecord(value) ? Object.entries(value).slice(0, shown) : []
}

function Leaf({value}: {value: unknown}): ReactNode {
  if (typeof value === 'string') return <Text text={value} />
  if (Array.isArray(value)) return <span>[]</span>
  if (isRecord(value)) return <span>{'{}'}</span>
  return <em className={styles.literal}>{String(value)}</em>
}

function Text({text}: {text: string}) {
  const [isExpanded, setExpanded] = useState(false)
  const limit = isExpanded ? MAX_TEXT : FIRST_TEXT
  const rest = text.length - limit
  return (
    <>
      <i className={styles.string}>
        {escapeControlsMultiline(JSON.stringify(text.slice(0, limit)))}
      </i>
      {rest > 0 && !isExpanded && (
        <MoreButton onClick={() => setExpanded(true)}>
          show {formatNumber(Math.min(rest, MAX_TEXT - FIRST_TEXT))} more
          <span className={common.visuallyHidden}> characters</span>
        </MoreButton>
      )}
      {rest > 0 && isExpanded && <span> {formatNumber(rest)} more characters</span>}
    </>
  )
}
