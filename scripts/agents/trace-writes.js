// The writes of a program to a file, as strace reports them, to compare with the recording.

import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'

/** Whether strace works here. */
export function canTrace() {
  return process.platform === 'linux' && spawnSync('strace', ['true']).status === 0
}

/**
 * The command to put before another one to trace its writes to one file: some agents unpack themselves first, and those
 * writes would be too many.
 *
 * @param {string} path The file for the trace.
 * @param {string} file
 */
export function toTraceCommand(path, file) {
  const calls = 'trace=write,writev,pwrite64,pwritev'
  const quiet = ['-qq', '--seccomp-bpf', '-e', 'signal=none', '-e', calls]
  return ['strace', '-f', '-y', '-xx', '-s', '99999999', ...quiet, '-P', file, '-o', path, '--']
}

const CALL = /^(\d+) +p?write(?:v|64)?v?\(\d+<((?:\\x[\da-f]{2})*)[^>]*>, (.*)$/
const RESUMED = /^(\d+) +<\.\.\. p?write(?:v|64)?v? resumed>/
const WRITTEN = /= (\d+)$/

/**
 * All bytes that were written to a file, in order.
 *
 * @param {string} trace
 * @param {string} file
 */
export function readWrites(trace, file) {
  /** Unfinished writes by process. @type {Map<string, Buffer>} */
  const open = new Map()
  /** @type {Buffer[]} */
  const written = []
  const lines = existsSync(trace) ? readFileSync(trace, 'latin1').split('\n') : []
  for (const line of lines) {
    const [, pid = '', path, rest = ''] = CALL.exec(line) ?? RESUMED.exec(line) ?? []
    if (path !== undefined) {
      open.delete(pid)
      if (fromHex(path).toString('utf8') !== file) continue
      open.set(pid, Buffer.concat([...rest.matchAll(/"((?:\\x[\da-f]{2})*)"/g)].map(toBytes)))
    }
    const bytes = open.get(pid)
    const count = WRITTEN.exec(line)?.[1]
    if (bytes === undefined || count === undefined) continue
    written.push(bytes.subarray(0, Number(count)))
    open.delete(pid)
  }
  return Buffer.concat(written)
}

/** @param {RegExpMatchArray} match */
function toBytes(match) {
  return fromHex(match[1] ?? '')
}

/** @param {string} text */
function fromHex(text) {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}
