import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {readMemory} from '../test/support/process-stats.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs Node until it exits and measures it. Peak memory is in MiB, up to the last output.
 *
 * @param {string[]} args
 * @returns {Promise<{firstLineMs: number, totalMs: number, peakMemory: number}>}
 */
export async function runNode(args) {
  const start = performance.now()
  const child = spawn(process.execPath, args, {cwd: root, stdio: ['ignore', 'pipe', 'inherit']})
  let firstLineMs = 0
  let peakMemory = 0
  child.stdout.on('data', () => {
    firstLineMs ||= performance.now() - start
    peakMemory = Math.max(peakMemory, readMemory(child.pid ?? 0, 'VmHWM'))
  })
  const [exitCode] = await once(child, 'close')
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit code ${exitCode}`)
  return {firstLineMs, totalMs: performance.now() - start, peakMemory}
}
