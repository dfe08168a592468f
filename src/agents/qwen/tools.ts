import {defineTools, findToolKind} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'

/** The common name of a tool of Qwen Code. */
export function toolKindOf(name: string): ToolKind {
  return findToolKind(TOOLS, name)
}

const TOOLS = defineTools({
  Read: 'read_file read_many_files zoom_image',
  Write: 'write_file',
  Edit: 'edit notebook_edit',
  Bash: 'run_shell_command',
  Grep: 'grep_search',
  Glob: 'glob list_directory',
  WebFetch: 'web_fetch',
  WebSearch: 'web_search',
  Task: 'agent task',
  Todo: 'todo_write',
})
