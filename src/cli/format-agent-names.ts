import {agents} from '../agents/list.ts'

const MAX_LINE_LENGTH = 80

/** The names for `--agent`, wrapped for the help. */
export function formatAgentNames(): string {
  const lines = ['Agents:']
  for (const {id} of agents) {
    const last = lines.at(-1) ?? ''
    if (`${last} ${id}`.length > MAX_LINE_LENGTH) lines.push(`  ${id}`)
    else lines[lines.length - 1] = `${last} ${id}`
  }
  return lines.join('\n')
}
