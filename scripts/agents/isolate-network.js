import {spawnSync} from 'node:child_process'

/**
 * Runs this script again in a network namespace with loopback only and exits with its exit code. Returns true in that
 * process, and false where such a namespace cannot be created.
 */
export function isolateNetwork() {
  if (process.env['VITRINE_ISOLATED'] !== undefined) return true
  if (process.platform !== 'linux') return false
  const up = ['ip', 'link', 'set', 'lo', 'up']
  const kind = [['--net'], ['--map-root-user', '--net']].find(
    (flags) => spawnSync('unshare', [...flags, ...up]).status === 0,
  )
  if (kind === undefined) return false
  const script = `${up.join(' ')} && exec "$@"`
  const args = [...kind, 'sh', '-c', script, 'sh', ...process.argv]
  const env = {...process.env, VITRINE_ISOLATED: '1'}
  const {status} = spawnSync('unshare', args, {stdio: 'inherit', env})
  process.exit(status ?? 1)
}
