import type {Draft} from '../../core/events/adapter.ts'
import type {McpServerState} from '../../core/events/events.ts'
import {isRecord, textAt, toText, type JsonObject} from '../../core/wire/json.ts'

/** Reads the start of a session from a `system/init` line. */
export function readSession(record: JsonObject, versionField: string): Draft {
  const {tools} = record
  return {
    type: 'session-start',
    sessionId: textAt(record, 'session_id') ?? '',
    model: textAt(record, 'model'),
    cwd: textAt(record, 'cwd'),
    tools: Array.isArray(tools) ? tools.filter((tool) => typeof tool === 'string') : undefined,
    mcpServers: readMcpServers(record['mcp_servers']),
    agentVersion: textAt(record, versionField),
    permissionMode: textAt(record, 'permissionMode') ?? textAt(record, 'permission_mode'),
  }
}

/** MCP servers as objects, or by their names alone. */
function readMcpServers(servers: unknown): McpServerState[] | undefined {
  if (!Array.isArray(servers)) return undefined
  return servers.map((server: unknown) =>
    isRecord(server)
      ? {name: textAt(server, 'name') ?? '', status: textAt(server, 'status')}
      : {name: toText(server)},
  )
}
