import {Command, Option} from 'commander'
import {deriveToken, openToken, type Role} from '../../hub/auth/tokens.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {print, logToStderr} from '../output.ts'

/** `vitrine token`: prints what lets programs into the hub. */
export const token: Command = new Command('token')
  .description("print the hub's token, or one that may do less")
  .addOption(
    new Option(
      '--role <role>',
      'view: only look on; answer: also answer and stop; ingest: only report runs',
    ).choices(['view', 'answer', 'ingest']),
  )
  .option('--data-dir <folder>', 'where the hub keeps its data ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Tokens of a role follow from the main one in <data-dir>/token: remove that file and start the hub again, and none of them
is good any more.

Examples:
  curl -H "Authorization: Bearer $(vitrine token --role view)" http://127.0.0.1:4310/api/runs
  VITRINE_TOKEN=… vitrine run --hub https://hub.example:4310 -- claude -p "Fix the tests"`,
  )
  .action(async ({role, dataDir = defaultDataDir()}: {role?: Role; dataDir?: string}) => {
    const main = openToken(dataDir, logToStderr)
    await print(`${role === undefined ? main : deriveToken(main, role)}\n`)
  })
