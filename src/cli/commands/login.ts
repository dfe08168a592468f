import {Command} from 'commander'
import {textAt} from '../../core/wire/json.ts'
import {CliError} from '../cli-error.ts'
import {requireHub} from '../find-hub.ts'
import {print} from '../output.ts'

/** `vitrine login`: prints a link that logs a browser in. */
export const login: Command = new Command('login')
  .description('print a link that logs a browser into the hub, once')
  .option('--hub <url>', 'which hub (the one that runs here)')
  .option('--data-dir <folder>', 'where the hub keeps its data ($XDG_DATA_HOME/vitrine)')
  .action(async (flags: {hub?: string; dataDir?: string}) => {
    const {url, token} = await requireHub(flags)
    await print(`${await requestLoginLink(url, token)}\n`)
  })

async function requestLoginLink(url: string, token: string): Promise<string> {
  let response: Response
  try {
    const headers = {authorization: `Bearer ${token}`}
    response = await fetch(`${url}/api/login-links`, {method: 'POST', headers})
  } catch {
    throw new CliError(`hub at ${url} does not answer`, 1)
  }
  const link = response.ok ? textAt(await response.json(), 'url') : undefined
  if (link !== undefined) return link
  throw new CliError("hub refused the token. It is in <data-dir>/token on the hub's machine", 1)
}
