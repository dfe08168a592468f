import type {McpServerState} from './events.ts'

/** Describes the unavailable MCP servers of a session in a line; `undefined` when there are none. */
export function describeMcpTrouble(servers: readonly McpServerState[] = []): string | undefined {
  const failed = servers.filter(({status}) => status === 'failed' || status === 'error')
  const locked = servers.filter(({status}) => status === 'needs-auth' || status === 'needs_auth')
  const parts = [
    ...(failed.length === 0 ? [] : [`not connected: ${listNames(failed)}`]),
    ...(locked.length === 0 ? [] : [`needs authentication: ${listNames(locked)}`]),
  ]
  const count = failed.length + locked.length
  return count === 0 ? undefined : `MCP server${count === 1 ? '' : 's'} ${parts.join('; ')}`
}

const MAX_NAMES = 5

function listNames(servers: readonly McpServerState[]): string {
  const names = servers.slice(0, MAX_NAMES).map(({name}) => name)
  const rest = servers.length - names.length
  return [...names, ...(rest === 0 ? [] : [`${rest} more`])].join(', ')
}
