import {findAgent} from '../agents/find-agent.ts'
import {agents} from '../agents/list.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {CliError} from './cli-error.ts'

/** Finds an agent by name, and fails with a list of all names. */
export function requireAgent(name: string): Adapter {
  const agent = findAgent(name)
  if (agent !== null) return agent
  const names = agents.map(({id}) => id).join(', ')
  throw new CliError(`--agent ${name}: unknown agent. Known agents: ${names}`)
}
