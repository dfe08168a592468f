import {Command} from 'commander'
import {agents} from '../../agents/list.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import {findProgram, readVersion} from '../programs.ts'
import {print} from '../output.ts'
import {stdoutStyle} from '../style.ts'
import {formatTable, type Column} from '../table.ts'

/** An agent, and what of it is on this machine. */
interface Row {
  agent: string
  label: string
  path: string | null
  version: string | null
  flags: string[]
  env: Readonly<Record<string, string>>
  reports: Adapter['reports']
}

const columns: Column<Row>[] = [
  {head: 'AGENT', cell: ({agent}) => agent},
  {
    head: 'INSTALLED',
    cell: ({path, version, flags}) => {
      if (path !== null) return version ?? 'yes'
      // What no command prints needs no flags.
      return flags.length === 0 ? 'by hooks' : 'not found'
    },
  },
  {head: 'FLAGS VITRINE ADDS', cell: ({flags}) => flags.join(' '), least: 18, isExtra: true},
  {head: 'THINKING', cell: ({reports}) => yesNo(reports.thinking)},
  {head: 'PERMISS.', cell: ({reports}) => yesNo(reports.permissions)},
  {head: 'COST', cell: ({reports}) => yesNo(reports.cost)},
]

/** `vitrine agents`: what is supported, and what of it is here. */
export const agentsCommand: Command = new Command('agents')
  .description('list the agents that are understood, and which of them are installed')
  .option('--json', 'one object per line')
  .addHelpText(
    'after',
    `
THINKING, PERMISS. and COST say what an agent's output tells of. The flags are those it needs to print its
events; none of them lets it do more than you allow. What comes by hooks is set up with vitrine hooks.`,
  )
  .action(async ({json}: {json?: true}) => {
    const rows = await Promise.all(agents.map(inspect))
    if (json === true) return print(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return print(formatTable(rows, columns, stdoutStyle().width))
  })

async function inspect(adapter: Adapter): Promise<Row> {
  const {id, label, commands, env, reports} = adapter
  const path = findProgram(commands)
  const version = path === null ? null : await readVersion(path)
  return {agent: id, label, path, version, flags: adapter.flags([]), env, reports}
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
