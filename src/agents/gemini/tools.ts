import {defineTools, findToolKind} from '../../core/events/drafts.ts'
import type {ToolKind} from '../../core/events/events.ts'

/** Common names of the tools of Gemini CLI. */
export const TOOLS: ReadonlyMap<string, ToolKind> = defineTools({
  Read: 'read_file read_many_files',
  Write: 'write_file',
  Edit: 'replace',
  Bash: 'run_shell_command',
  Grep: 'grep_search search_file_content',
  Glob: 'glob list_directory',
  WebFetch: 'web_fetch',
  WebSearch: 'google_web_search',
  Task: 'invoke_agent codebase_investigator cli_help',
  Todo: 'write_todos tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize',
  Mcp: 'read_mcp_resource list_mcp_resources',
})

/** The common name of a tool of Gemini CLI. */
export function toolKindOf(name: string): ToolKind {
  return findToolKind(TOOLS, name, 'mcp_')
}
