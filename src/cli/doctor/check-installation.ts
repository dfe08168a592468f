import {accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync} from 'node:fs'
import {arch, version as nodeVersion, platform} from 'node:process'
import {dirname, join} from 'node:path'
import {formatBytes, formatDuration} from '../../core/text/figures.ts'
import {attempt} from '../../recording/attempt.ts'
import {describeErrno, reasonOf} from '../../recording/describe-errno.ts'
import type {Check} from '../../terminal/doctor.ts'
import {findHub} from '../find-hub.ts'
import {version} from '../version.ts'
import {shortenHome} from './shorten-home.ts'

const PLATFORMS: Readonly<Record<string, string>> = {
  linux: 'Linux',
  darwin: 'macOS',
  win32: 'Windows',
}

/** The versions of Vitrine and Node. */
export function checkVersion(): Check {
  const system = `${PLATFORMS[platform] ?? platform} ${arch}`
  const node = nodeVersion.slice(1)
  return {name: 'Version', state: 'pass', text: `vitrine ${version}, Node ${node}, ${system}`}
}

const MIN_FREE_BYTES = 1_000_000_000

/** Whether the data folder can be written, and has space. */
export function checkDataFolder(dataDir: string): Check {
  const path = shortenHome(dataDir)
  const existing = findExisting(dataDir)
  const problem = findProblem(existing)
  if (problem !== undefined) {
    const fix = `Run: chmod u+rwx ${shortenHome(existing)}`
    return {name: 'Data folder', state: 'fail', text: `${path}: ${problem}`, fix}
  }
  const {bavail, bsize} = attempt(() => statfsSync(existing)) ?? {bavail: Infinity, bsize: 1}
  const free = bavail * bsize
  const size = existing === dataDir ? formatBytes(measure(dataDir)) : 'not created yet'
  const space = Number.isFinite(free) ? `, ${formatBytes(free)} free` : ''
  const text = `${path}, ${size}, writable${space}`
  if (free >= MIN_FREE_BYTES) return {name: 'Data folder', state: 'pass', text}
  const fix = 'Free some space, or run: vitrine rm --keep 50'
  return {name: 'Data folder', state: 'warning', text, fix}
}

/** The folder itself, or the one in which it would be created. */
function findExisting(path: string): string {
  if (existsSync(path) || dirname(path) === path) return path
  return findExisting(dirname(path))
}

function findProblem(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return lstatSync(join(path, '.')).isDirectory() ? undefined : 'is a file, expected a folder'
  } catch (error) {
    return reasonOf(error)
  }
}

/** Counting stops here: a check must not take long. */
const MAX_MEASURE_MS = 500

/** The size of all files in a folder, as far as they are counted in time. */
function measure(folder: string, until: number = performance.now() + MAX_MEASURE_MS): number {
  let bytes = 0
  for (const entry of attempt(() => readdirSync(folder, {withFileTypes: true})) ?? []) {
    const path = join(folder, entry.name)
    if (performance.now() > until) break
    if (entry.isDirectory()) bytes += measure(path, until)
    else bytes += attempt(() => lstatSync(path).size) ?? 0
  }
  return bytes
}

const HUB_TIMEOUT_MS = 2000

/** Whether the hub of the data folder answers. */
export async function checkHub(dataDir: string): Promise<Check> {
  try {
    const hub = await findHub({dataDir})
    if (hub === null) return {name: 'Hub', state: 'none', text: 'not running'}
    const {host} = new URL(hub.url)
    const start = performance.now()
    const reason = await ask(hub.url)
    if (reason === undefined) {
      const took = formatDuration(performance.now() - start)
      return {name: 'Hub', state: 'pass', text: `${host} answers in ${took}`}
    }
    const text = `${host} does not answer: ${reason}`
    return {name: 'Hub', state: 'fail', text, fix: 'Stop it, then run: vitrine serve'}
  } catch (error) {
    const text = describeErrno(error)
    return {
      name: 'Hub',
      state: 'fail',
      text,
      fix: `Remove ${shortenHome(join(dataDir, 'hub.json'))}`,
    }
  }
}

/** Why a hub does not answer; `undefined` if it does. */
async function ask(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/healthz`, {signal: AbortSignal.timeout(HUB_TIMEOUT_MS)})
    return response.ok ? undefined : `status ${response.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'no connection'
  }
}
