import {Command} from 'commander'
import {agents} from '../../agents/list.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import {findProgram, readVersion} from '../programs.ts'
import {print} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {formatTable, type Column} from '../table.ts'

/** An agent and its installation on this machine. */
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
      // An agent without a command is recorded by hooks.
      return flags.length === 0 ? 'by hooks' : 'not found'
    },
  },
  {head: 'FLAGS VITRINE ADDS', cell: ({flags}) => flags.join(' '), minWidth: 18, isOptional: true},
  {head: 'THINKING', cell: ({reports}) => yesNo(reports.thinking)},
  {head: 'PERMISS.', cell: ({reports}) => yesNo(reports.permissions)},
  {head: 'COST', cell: ({reports}) => yesNo(reports.cost)},
]

/** `vitrine agents`: lists supported and installed agents. */
export const agentsCommand: Command = new Command('agents')
  .summary('list supported and installed agents')
  .description('List the supported agents and which of them are installed.')
  .option('--json', 'print one JSON object per line')
  .addHelpText(
    'after',
    `
FLAGS VITRINE ADDS make the agent print its events; none of them extends its
permissions. THINKING, PERMISS. and COST: whether the agent reports them.
"by hooks" is set up with vitrine hooks.

Examples:
  vitrine agents
  vitrine agents --json | jq -r 'select(.path != null) | .agent'`,
  )
  .action(async ({json}: {json?: true}) => {
    const rows = await Promise.all(agents.map(inspect))
    if (json === true) return print(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return print(formatTable(rows, columns, getStdoutStyle().width))
  })

async function inspect(adapter: Adapter): Promise<Row> {
  const {id, label, commands, env = {}, reports} = adapter
  const path = findProgram(commands)
  const version = path === null ? null : await readVersion(path)
  return {agent: id, label, path, version, flags: adapter.flags([]), env, reports}
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
