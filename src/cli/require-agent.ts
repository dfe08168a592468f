import {agents, findAgent} from '../agents/index.ts'
import type {Adapter} from '../core/index.ts'
import {CliError} from './cli-error.ts'

/** The agent of that name, or an error that lists all names. */
export function requireAgent(name: string): Adapter {
  const agent = findAgent(name)
  if (agent !== null) return agent
  const names = agents.map(({id}) => id).join(', ')
  throw new CliError(`--agent ${name}: no agent is known by that name. Known: ${names}`)
}
