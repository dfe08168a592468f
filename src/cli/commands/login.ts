import {Command} from 'commander'
import {textAt} from '../../core/wire/json.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {requireHub, type HubFlags} from '../find-hub.ts'
import {print} from '../output.ts'

/** `vitrine login`: prints a login link of the hub. */
export const login: Command = new Command('login')
  .summary('print a login link for the dashboard')
  .description('Print a link that logs one browser in to the hub, once, within 10 minutes.')
  .option('--hub <url>', 'URL of the hub (default: the hub on this machine)')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
The token of a hub on another machine is read from VITRINE_TOKEN.

Examples:
  vitrine login
  VITRINE_TOKEN=... vitrine login --hub https://hub.example:4310`,
  )
  .action(async (flags: HubFlags) => {
    const {url, token} = await requireHub(flags)
    await print(`${await requestLoginLink(url, token)}\n`)
  })

async function requestLoginLink(url: string, token: string): Promise<string> {
  let response: Response
  try {
    const headers = {authorization: `Bearer ${token}`}
    response = await fetch(`${url}/api/login-links`, {method: 'POST', headers})
  } catch {
    throw new CliError(
      `hub at ${url} does not respond. Start it with vitrine serve, or check the URL`,
      1,
    )
  }
  const link = response.ok ? textAt(await response.json(), 'url') : undefined
  if (link !== undefined) return link
  throw new CliError(
    `hub at ${url} rejected the token. Set VITRINE_TOKEN to the token in <data-dir>/token on the hub's machine`,
    1,
  )
}
