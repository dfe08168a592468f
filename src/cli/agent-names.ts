import {findAgent} from '../agents/find-agent.ts'
import {agents} from '../agents/list.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {CliError} from './cli-error.ts'

const NAMES = agents.map(({id}) => id)

/** The option that makes an unknown output readable, with all names. */
export const AGENT_HINT: string = `--agent ${NAMES.join('|')}`

/** Finds an agent by name, and fails with a list of all names. */
export function requireAgent(name: string): Adapter {
  const agent = findAgent(name)
  if (agent !== null) return agent
  throw new CliError(`--agent ${name}: unknown agent. Known agents: ${NAMES.join(', ')}`)
}

/** Formats all names for the help, wrapped at 80 characters. */
export function formatAgentNames(): string {
  return `Agents: ${NAMES.join(' ')}`.replaceAll(/(.{1,80})(?: |$)/g, '$1\n  ').trimEnd()
}
