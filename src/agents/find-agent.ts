import type {Adapter} from '../core/events/adapter.ts'
import {agents} from './list.ts'

/**
 * The agent of a command: its name, a path, with `.exe` or `.cmd`, in any case, or a command line, also with a wrapper such
 * as `npx` or `env`. `null` for any other program.
 */
export function findAgent(command: string): Adapter | null {
  const words = splitWords(command)
  for (let index = 0; index < words.length;) {
    const direct = findCommand(programOf(words[index] ?? ''))
    if (direct !== null) return direct
    const wrapper = WRAPPERS.get(programOf(words[index] ?? ''))
    if (wrapper === undefined) return index === 0 ? findSpaced(words) : null
    index = skipOptions(words, index + 1, wrapper)
    const byPackage = findPackage(words[index] ?? '')
    if (byPackage !== null) return byPackage
  }
  return null
}

/** Programs that run another one, and their options with a value. */
const WRAPPERS = new Map<string, string>([
  ...['npx', 'bunx', 'pnpx', 'uvx', 'pipx'].map(
    (name) => [name, '-p --package --registry -c --from'] as const,
  ),
  ...['npm', 'pnpm', 'yarn', 'bun', 'deno'].map(
    (name) => [name, '-p --package --registry'] as const,
  ),
  ['node', '-r --require --import --loader'],
  ['env', '-u --unset -C --chdir'],
  ['sudo', '-u --user -g --group'],
  ['timeout', '-k --kill-after -s --signal'],
  ['nice', '-n --adjustment'],
  ...['nohup', 'command', 'exec', 'time', 'stdbuf'].map((name) => [name, ''] as const),
])

/** Words between a wrapper and its program: `npm exec`, `pnpm dlx`, `env A=1`, `timeout 5m`. */
const BETWEEN = /^(?:exec|dlx|x|run|\w+=.*|\d+[smhd]?)$/

function skipOptions(words: readonly string[], from: number, valued: string): number {
  const withValue = new Set(valued.split(' '))
  let index = from
  for (; index < words.length; index++) {
    const word = words[index] ?? ''
    if (withValue.has(word)) index++
    else if (!word.startsWith('-') && !BETWEEN.test(word)) break
  }
  return index
}

function findPackage(word: string): Adapter | null {
  const name = word.replace(/^npm:/, '').replace(/(?<=.)@[^/@]*$/, '')
  const byPackage = agents.find(({packages}) => packages.includes(name))
  return byPackage ?? findCommand(programOf(name))
}

function findCommand(program: string): Adapter | null {
  return agents.find(({id, commands}) => id === program || commands.includes(program)) ?? null
}

/** A path may contain spaces without quotes; arguments begin with a dash or are paths. */
function findSpaced(words: readonly string[]): Adapter | null {
  if (!/^(?:[/~.]|[A-Za-z]:\\)/.test(words[0] ?? '')) return null
  for (const word of words.slice(1)) {
    if (/^[-/~]/.test(word)) return null
    const agent = findCommand(programOf(word))
    if (agent !== null) return /[\\/]/.test(word) ? agent : null
  }
  return null
}

function splitWords(command: string): string[] {
  const words = command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
}

function programOf(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return file.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1|js|mjs)$/, '')
}
