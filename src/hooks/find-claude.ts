import {execFileSync} from 'node:child_process'
import {basename} from 'node:path'
import {attempt} from '../recording/attempt.ts'
import {readProcessStat, toProcessId, type ProcessId} from '../recording/process-id.ts'

/** Claude Code may run a hook through nested shells. */
const MAX_SHELL_DEPTH = 3

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh', 'fish', 'busybox', 'cmd.exe'])

/** Finds the process of Claude Code from its hook: the first ancestor that is not a shell. */
export function findClaude(parent: number = process.ppid): ProcessId | undefined {
  let pid = parent
  for (let count = 0; count < MAX_SHELL_DEPTH; count++) {
    const found = inspect(pid)
    if (found === undefined || !SHELLS.has(found.name)) break
    pid = found.parent
  }
  // An orphaned hook is a child of the init process.
  return pid > 1 ? toProcessId(pid) : undefined
}

function inspect(pid: number): {name: string; parent: number} | undefined {
  if (process.platform === 'linux') return readProcessStat(pid)
  if (process.platform === 'win32') return undefined
  const output = attempt(() =>
    execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 1000,
    }),
  )
  const [, parent, command = ''] = /^(\d+)\s+(.*)$/.exec(output?.trim() ?? '') ?? []
  if (parent === undefined) return undefined
  return {name: basename(command).replace(/^-/, ''), parent: Number(parent)}
}
