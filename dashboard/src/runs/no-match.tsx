import type {ReactNode} from 'react'
import message from '../shell/message.module.css'
import {nameAgent} from '../ui/agent-names.ts'
import {Button} from '../ui/button.tsx'
import {nameFolder} from '../ui/folder-names.ts'
import {KINDS} from '../ui/kind.tsx'
import {isEmptyFilter, type ListFilter} from './list-filter.ts'

/** In place of a list without rows: what was searched, and a way back. */
export function NoMatch({
  title,
  filter,
  onClear,
  children,
}: {
  title: string
  filter: ListFilter
  onClear: () => void
  /** A suggestion. */
  children?: ReactNode
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an output cannot contain a heading
    <div className={message.message} role="status">
      <h2>{title}</h2>
      {!isEmptyFilter(filter) && <p>{describeFilter(filter)}</p>}
      {children}
      <Button onClick={onClear}>Clear filters</Button>
    </div>
  )
}

/** Describes a filter: `Agent: Claude Code · Kind: run`. */
function describeFilter({agent, project, kind, state, date}: ListFilter): string {
  const facts = [
    agent !== '' && `Agent: ${nameAgent(agent)}`,
    project !== '' && `Project: ${nameFolder(project)}`,
    kind !== '' && `Kind: ${KINDS[kind].word.toLowerCase()}`,
    state !== '' && `State: ${STATE_WORDS[state]}`,
    date !== '' && `Date: ${DATE_WORDS[date] ?? date.replace('..', ' to ').trim()}`,
  ]
  return facts.filter((fact) => fact !== false).join(' · ')
}

const STATE_WORDS = {'needs-you': 'needs you', live: 'live', failed: 'failed'} as const
const DATE_WORDS: Readonly<Record<string, string>> = {
  today: 'today',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
}
