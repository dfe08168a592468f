import {findToolKind} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'

/** The common name of a tool of Claude Code. */
export function toolKindOf(name: string): ToolKind {
  return findToolKind(TOOLS, name)
}

const TOOLS = new Map<string, ToolKind>([
  ['Read', 'Read'],
  ['NotebookRead', 'Read'],
  ['Write', 'Write'],
  ['Edit', 'Edit'],
  ['MultiEdit', 'Edit'],
  ['NotebookEdit', 'Edit'],
  ['Bash', 'Bash'],
  ['PowerShell', 'Bash'],
  ['Grep', 'Grep'],
  ['Glob', 'Glob'],
  ['LS', 'Glob'],
  ['WebFetch', 'WebFetch'],
  ['web_fetch', 'WebFetch'],
  ['WebSearch', 'WebSearch'],
  ['web_search', 'WebSearch'],
  ['Task', 'Task'],
  ['Agent', 'Task'],
  ['TodoWrite', 'Todo'],
  ['TaskCreate', 'Todo'],
  ['TaskUpdate', 'Todo'],
  ['TaskGet', 'Todo'],
  ['TaskList', 'Todo'],
])
