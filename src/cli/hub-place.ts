import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {defaultDataDir} from '../recording/recording.ts'
import type {HubAddress} from '../hub/ingest/reporter.ts'
import {CliError} from './cli-error.ts'

/** Where a hub may be told of. */
export interface HubFlags {
  hub?: string | undefined
  dataDir?: string | undefined
}

/** The address of the hub that is meant: the one that was named, else the one of the data folder, if it runs. */
export async function findHub({
  hub,
  dataDir = defaultDataDir(),
}: HubFlags): Promise<HubAddress | null> {
  const token = process.env['VITRINE_TOKEN'] ?? readToken(dataDir)
  if (hub !== undefined) return {url: toUrl(hub), token}
  // To look is cheap; to load all that a hub needs is not.
  if (!existsSync(join(dataDir, 'hub.json'))) return null
  const {findLocalHub} = await import('../hub/lock.ts')
  const local = findLocalHub(dataDir)
  // Its own token, whatever is meant for others.
  return local === null ? null : {url: local.url, token: readToken(dataDir)}
}

/** The hub that is meant, or an error that says how to have one. */
export async function requireHub(flags: HubFlags): Promise<HubAddress> {
  const address = await findHub(flags)
  if (address !== null) return address
  throw new CliError('no hub runs here. Start one with vitrine serve, or name one with --hub', 1)
}

/** A URL as people type it. */
export function toUrl(text: string): string {
  const url = text.includes('://') ? text : `http://${text}`
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return new URL(url).origin
  throw new CliError(`--hub ${text}: not a URL, such as http://127.0.0.1:4310`)
}

/** A warning when the token would be sent over a network without encryption. */
export function describePlainHub(url: string): string | undefined {
  const {protocol, hostname} = new URL(url)
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return undefined
  return `--hub ${url}: the token and the output are sent without encryption. Use https, or an SSH tunnel`
}

const LOOPBACK = /^(?:127(?:\.\d+){3}|\[::1\]|localhost|.+\.localhost)$/

function readToken(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, 'token'), 'utf8').trim()
  } catch {
    return ''
  }
}
