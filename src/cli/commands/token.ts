import {Command, Option} from 'commander'
import {deriveToken, openToken, type Role} from '../../hub/auth/tokens.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {createDataDirOption} from '../common-options.ts'
import {print, logToStderr} from '../output.ts'

/** `vitrine token`: prints a token of the hub. */
export const token: Command = new Command('token')
  .summary('print a token for the hub')
  .description("Print the hub's token, or one with fewer rights.")
  .addOption(
    new Option(
      '--role <role>',
      'view: read only; answer: also answer requests and stop runs; ingest: only report runs',
    ).choices(['view', 'answer', 'ingest']),
  )
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Tokens of a role are derived from the main token in <data-dir>/token. To revoke
all of them, remove that file and restart the hub.

Examples:
  vitrine token
  curl -H "Authorization: Bearer $(vitrine token --role view)" \\
    http://127.0.0.1:4310/api/runs`,
  )
  .action(async ({role, dataDir = defaultDataDir()}: {role?: Role; dataDir?: string}) => {
    const main = openToken(dataDir, logToStderr)
    await print(`${role === undefined ? main : deriveToken(main, role)}\n`)
  })
