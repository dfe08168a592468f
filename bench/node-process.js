// A program that is run by Node: how long it takes, and its memory.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {fileURLToPath} from 'node:url'
import {readMemory} from './hub-process.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs Node to its end.
 *
 * @param {string[]} args
 * @returns {Promise<{first: number, whole: number, peak: number}>} after how many milliseconds it printed and ended, and the
 *   most memory it had by its last output, in MiB
 */
export async function runNode(args) {
  const start = performance.now()
  const child = spawn(process.execPath, args, {cwd: root, stdio: ['ignore', 'pipe', 'inherit']})
  let first = 0
  let peak = 0
  child.stdout.on('data', () => {
    first ||= performance.now() - start
    peak = Math.max(peak, readMemory(child.pid ?? 0, 'VmHWM'))
  })
  const [exitCode] = await once(child, 'close')
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: exit code ${exitCode}`)
  return {first, whole: performance.now() - start, peak}
}
