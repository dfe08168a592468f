import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {defaultDataDir} from '../recording/recording.ts'
import type {HubAddress} from '../hub/ingest/reporter.ts'
import {CliError} from './cli-error.ts'

/** The flags that select a hub. */
export interface HubFlags {
  hub?: string | undefined
  dataDir?: string | undefined
}

/** Finds the hub given with `--hub`, else the one that runs on the data directory. */
export async function findHub({
  hub,
  dataDir = defaultDataDir(),
}: HubFlags): Promise<HubAddress | null> {
  const token = process.env['VITRINE_TOKEN'] ?? readToken(dataDir)
  if (hub !== undefined) return {url: parseHubUrl(hub), token}
  // Loading the modules of the hub takes much longer than this check.
  if (!existsSync(join(dataDir, 'hub.json'))) return null
  const {findLocalHub} = await import('../hub/lock.ts')
  const local = findLocalHub(dataDir)
  // VITRINE_TOKEN is for other hubs, not for the local one.
  return local === null ? null : {url: local.url, token: readToken(dataDir)}
}

/** Finds the hub like {@link findHub}, and fails without one. */
export async function requireHub(flags: HubFlags): Promise<HubAddress> {
  const address = await findHub(flags)
  if (address !== null) return address
  throw new CliError(
    'no hub is running on this machine. Start one with vitrine serve, or give its URL with --hub',
    1,
  )
}

/** Parses a hub URL; the scheme may be missing. */
export function parseHubUrl(text: string): string {
  const url = text.includes('://') ? text : `http://${text}`
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return new URL(url).origin
  throw new CliError(`--hub ${text}: not a URL. Expected one like http://127.0.0.1:4310`)
}

/** Returns a warning if the token would be sent over a network without encryption. */
export function describeUnencryptedHub(url: string): string | undefined {
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
