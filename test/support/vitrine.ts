import {spawnSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'

/** The program as it is built. */
export const bin: string = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

const agents = new URL('../../src/agents/', import.meta.url)

/** A recording, such as `claude/2.1.325/subagent`. */
export function fixture(name: string): string {
  const [agent, version, scenario] = name.split('/')
  return fileURLToPath(new URL(`${agent}/fixtures/${version}/${scenario}.jsonl`, agents))
}

/** Runs the program to its end. */
export function vitrine(
  args: string[],
  options: {input?: string | Uint8Array; env?: Record<string, string>} = {},
): {status: number | null; stdout: string; stderr: string} {
  const {status, stdout, stderr} = spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    input: options.input ?? '',
    env: {PATH: process.env['PATH'], TZ: 'UTC', ...options.env},
    maxBuffer: 1024 * 1024 * 1024,
  })
  return {status, stdout, stderr}
}
