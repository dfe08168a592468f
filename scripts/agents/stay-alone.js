import {spawnSync} from 'node:child_process'

/**
 * Starts this script once more where there is no network but loopback, if that can be had, and ends with it. Comes back in that one, or
 * at once where it cannot be had; says whether it is alone.
 */
export function stayAlone() {
  if (process.env['VITRINE_ALONE'] !== undefined) return true
  if (process.platform !== 'linux') return false
  const up = ['ip', 'link', 'set', 'lo', 'up']
  const kind = [['--net'], ['--map-root-user', '--net']].find(
    (flags) => spawnSync('unshare', [...flags, ...up]).status === 0,
  )
  if (kind === undefined) return false
  const script = `${up.join(' ')} && exec "$@"`
  const args = [...kind, 'sh', '-c', script, 'sh', ...process.argv]
  const env = {...process.env, VITRINE_ALONE: '1'}
  const {status} = spawnSync('unshare', args, {stdio: 'inherit', env})
  process.exit(status ?? 1)
}
