import type {ToolKind} from '../events/events.ts'
import {escapeControls} from '../text/text.ts'

/** Names a tool call: our word for sub-agents and plans, `server tool` for MCP, else the name the agent uses. */
export function nameTool({tool, name}: {tool: ToolKind; name: string}): string {
  if (tool === 'Task') return 'Sub-agent'
  if (tool === 'Todo') return 'Plan'
  const mcp = splitMcpName(name)
  if (mcp !== undefined) return escapeControls(mcp.join(' '))
  return tool === 'Mcp' || tool === 'Other' ? escapeControls(name) : tool
}

/** Splits the name of an MCP tool, such as `mcp__postgres__query`, into server and tool. */
export function splitMcpName(name: string): [server: string, tool: string] | undefined {
  const [prefix, server, ...rest] = name.split('__')
  return prefix === 'mcp' && server !== undefined && rest.length > 0
    ? [server, rest.join('__')]
    : undefined
}
