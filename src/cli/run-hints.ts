import type {Option} from 'commander'
import type {RunResult} from '../core/run/run-result.ts'
import {findCommandAgent} from '../runner/command.ts'
import {findProgram} from './programs.ts'

/** What to type, where an option of ours stands after the agent, which got it and does not know it. */
export function formatMisplacedOptionHint(
  {verdict, reason}: RunResult,
  [command = '', ...args]: readonly string[],
  options: readonly Option[],
): string | undefined {
  if (verdict !== 'failed') return undefined
  const names = new Set(options.flatMap(({long = []}) => long))
  const ours = args.map((arg) => arg.replace(/=.*/s, '')).find((arg) => names.has(arg))
  if (ours === undefined || !reason.includes(ours)) return undefined
  return `${ours} came after ${command}, so it was given to it. Options of Vitrine come before: vitrine run ${ours} … ${command} …`
}

/** The same, where a command is not found because all of it is in one pair of quotes. */
export function formatQuotedCommandHint(command: string): string {
  const [name = '', ...rest] = command.split(/\s+/)
  if (rest.length === 0 || (findCommandAgent([name]) ?? findProgram([name])) === null) return ''
  return `. Without quotes around all of it: vitrine run ${command}`
}
