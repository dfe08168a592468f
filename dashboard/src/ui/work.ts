import type {ToolKind} from '../../../src/core/events/events.ts'
import {makeHarmless} from '../../../src/core/text/text.ts'
import type {IconName} from './icon.tsx'

/** What kind of work a tool does. Five can be told apart by everybody's eyes; the icon says which tool it is. */
export type WorkKind = 'look' | 'change' | 'shell' | 'reach' | 'hand' | 'note'

/** The kind of work of each tool, and its drawing. */
export const WORK: Readonly<Record<ToolKind, {kind: WorkKind; icon: IconName}>> = {
  Read: {kind: 'look', icon: 'read'},
  Grep: {kind: 'look', icon: 'search'},
  Glob: {kind: 'look', icon: 'search'},
  Edit: {kind: 'change', icon: 'edit'},
  Write: {kind: 'change', icon: 'write'},
  Bash: {kind: 'shell', icon: 'bash'},
  WebFetch: {kind: 'reach', icon: 'web'},
  WebSearch: {kind: 'reach', icon: 'web'},
  Mcp: {kind: 'reach', icon: 'mcp'},
  Task: {kind: 'hand', icon: 'task'},
  Todo: {kind: 'note', icon: 'plan'},
  Other: {kind: 'note', icon: 'raw'},
}

/** The word for a tool: ours for sub-agents and plans, the server for MCP, else the agent's own. */
export function nameTool({tool, name}: {tool: ToolKind; name: string}): string {
  if (tool === 'Task') return 'Sub-agent'
  if (tool === 'Todo') return 'Plan'
  const [prefix, server, ...rest] = name.split('__')
  if (prefix === 'mcp' && server !== undefined && rest.length > 0) {
    return makeHarmless(`${server} ${rest.join('__')}`)
  }
  if (tool === 'Mcp' || tool === 'Other') return makeHarmless(name)
  return tool
}
