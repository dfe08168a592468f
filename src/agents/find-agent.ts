import {isRecord, parseRecord, type Adapter} from '../core/index.ts'
import {agents} from './list.ts'

/**
 * The agent that a command runs: its name, a path to it, with `.exe` or `.cmd`, in any case, or a
 * command line that runs it with `npx`. `null` for every other program.
 */
export function findAgent(command: string): Adapter | null {
  const words = command.trim().split(/\s+/)
  const program = programOf(words[0] ?? '')
  // A folder may have a space in its name.
  const direct = findCommand(program) ?? findCommand(programOf(command.trim()))
  if (direct !== null) return direct
  return RUNNERS.has(program) ? findPackage(words.slice(1)) : null
}

/** Programs that run a package: `npx claude`, `pnpm dlx @openai/codex`. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpx', 'npm', 'pnpm', 'yarn', 'bun', 'deno'])
/** What may stand between such a program and the package. */
const RUNNER_WORDS = new Set(['exec', 'dlx', 'x', 'run'])

function findPackage(words: readonly string[]): Adapter | null {
  const name = words.find((word) => !word.startsWith('-') && !RUNNER_WORDS.has(word))
  if (name === undefined) return null
  const unversioned = name.replace(/^npm:/, '').replace(/(?<=.)@[^/@]*$/, '')
  const byPackage = agents.find(({packages}) => packages.includes(unversioned))
  return byPackage ?? findCommand(programOf(unversioned))
}

function findCommand(program: string): Adapter | null {
  return agents.find(({id, commands}) => id === program || commands.includes(program)) ?? null
}

function programOf(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return file.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1|js|mjs)$/, '')
}

/**
 * The agent that printed these lines, or `null`. The first line that any agent knows decides; lines
 * that are not JSON are passed over.
 */
export function detectAgent(firstLines: string | readonly string[]): string | null {
  const lines = typeof firstLines === 'string' ? firstLines.split('\n') : firstLines
  for (const line of lines) {
    const agent = detectLine(line)
    if (agent !== null) return agent
  }
  return null
}

/** The agent that printed this line; `null` when it is nothing that any agent is known for. */
function detectLine(line: string): string | null {
  const record = parseRecord(line)
  if (record.type !== 'json') return null
  const values: unknown[] = Array.isArray(record.value) ? record.value : [record.value]
  for (const value of values) {
    if (!isRecord(value)) continue
    const scores: number[] = agents.map((agent) => agent.detect(value))
    const best = Math.max(...scores)
    if (best > 0) return agents[scores.indexOf(best)]?.id ?? null
  }
  return null
}
