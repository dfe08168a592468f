import type {ToolKind} from '../../core/events/events.ts'

/** Our word for a tool of Claude's. */
export function toolKindOf(name: string): ToolKind {
  return TOOLS.get(name) ?? (name.startsWith('mcp__') ? 'Mcp' : 'Other')
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
