import type {Adapter} from '../core/events/adapter.ts'
import {splitCommand} from './command.ts'

const SHELL = /^(?:.*\/)?(?:ba|da|k|z)?sh$/
/** The option before a script, also combined with others: `-c`, `-lc`, `-euc`. */
const SCRIPT_OPTION = /^-[a-z]*c$/
const TOKEN = /"(?:\\.|[^"\\])*"|'[^']*'|[;&|\n]+|[^\s"';&|]+/g
const OPERATOR = /^[;&|\n]/
const ASSIGNMENT = /^\w+=/

/**
 * Finds the agent that a shell script starts, as in `bash -c "claude -p … --output-format stream-json
 * --verbose"`; `null` when the script prints something else or is ambiguous. No flags are added to its arguments.
 */
export function findScriptAgent(words: readonly string[]): Adapter | null {
  const [shell = '', ...args] = words
  const script = args[args.findIndex((word) => SCRIPT_OPTION.test(word)) + 1]
  if (!SHELL.test(shell) || script === undefined || isRedirected(script)) return null
  const found = splitCommands(script).flatMap((command) => {
    const {agent, args: given} = splitCommand(command)
    return agent === null ? [] : [{agent, given}]
  })
  const [only] = found
  return found.length === 1 && only !== undefined && printsEvents(only.agent, only.given)
    ? only.agent
    : null
}

/** The words of each command, without quotes and leading variable assignments. */
function splitCommands(script: string): string[][] {
  const commands: string[][] = [[]]
  for (const token of script.match(TOKEN) ?? []) {
    if (OPERATOR.test(token)) commands.push([])
    else commands.at(-1)?.push(token.replace(/^(["'])([^]*)\1$/, '$2'))
  }
  return commands.map((words) => words.slice(words.findIndex((word) => !ASSIGNMENT.test(word))))
}

/** Whether an agent prints events with these arguments alone. Flags that only add events are optional. */
function printsEvents(agent: Adapter, args: readonly string[]): boolean {
  const missing = agent.flags(args).filter((flag) => flag !== '--thinking')
  return missing.length === 0 && !agent.printsText(args)
}

/** Whether the output of a script goes to a file or through another program. */
function isRedirected(script: string): boolean {
  const bare = script.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '').replaceAll(/\|\s*tee\b/g, '')
  return /(?<!\|)\|(?!\|)|(?<![2&])>(?!&2)/.test(bare)
}
