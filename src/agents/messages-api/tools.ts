import {defineTools, findToolKind} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'

/** The common name of a tool of Claude Code. */
export function toolKindOf(name: string): ToolKind {
  return findToolKind(TOOLS, name)
}

const TOOLS = defineTools({
  Read: 'Read NotebookRead',
  Write: 'Write',
  Edit: 'Edit MultiEdit NotebookEdit',
  Bash: 'Bash PowerShell',
  Grep: 'Grep',
  Glob: 'Glob LS',
  WebFetch: 'WebFetch web_fetch',
  WebSearch: 'WebSearch web_search',
  Task: 'Task Agent',
  Todo: 'TodoWrite TaskCreate TaskUpdate TaskGet TaskList',
})
