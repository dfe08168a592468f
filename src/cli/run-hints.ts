import type {Option} from 'commander'
import type {RunResult} from '../core/run/run-result.ts'
import {findCommandAgent} from '../runner/command.ts'
import {findProgram} from './programs.ts'

/** Formats a hint for an option of Vitrine that was put after the agent and made it fail. */
export function formatMisplacedOptionHint(
  {verdict, reason}: RunResult,
  [command = '', ...args]: readonly string[],
  options: readonly Option[],
): string | undefined {
  if (verdict !== 'failed') return undefined
  const names = new Set(options.flatMap(({long = []}) => long))
  const ours = args.map((arg) => arg.replace(/=.*/s, '')).find((arg) => names.has(arg))
  if (ours === undefined || !reason.includes(ours)) return undefined
  return `${ours} was passed to ${command}. Put options of Vitrine before it: vitrine run ${ours} … ${command} …`
}

/** Formats a hint for a command that is not found because it is quoted as one word. */
export function formatQuotedCommandHint(command: string): string {
  const [name = '', ...rest] = command.split(/\s+/)
  if (rest.length === 0 || (findCommandAgent([name]) ?? findProgram([name])) === null) return ''
  return `. Remove the quotes around the command: vitrine run ${command}`
}
