import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {basename} from 'node:path'
import {toProcessId, type ProcessId} from '../recording/process-id.ts'

/** Between Claude and its hook there may be a shell, or one that a shell has started. */
const MOST_SHELLS = 3

const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh', 'fish', 'busybox', 'cmd.exe'])

/** The process that runs Claude, for a hook that it has called: the first above us that is no shell. */
export function findClaude(parent: number = process.ppid): ProcessId | undefined {
  let pid = parent
  for (let count = 0; count < MOST_SHELLS; count++) {
    const found = inspect(pid)
    if (found === undefined || !SHELLS.has(found.name)) break
    pid = found.parent
  }
  // Whose parent is gone belongs to the first process, which runs nothing.
  return pid > 1 ? toProcessId(pid) : undefined
}

function inspect(pid: number): {name: string; parent: number} | undefined {
  try {
    return process.platform === 'linux' ? inspectLinux(pid) : inspectOther(pid)
  } catch {
    return undefined
  }
}

function inspectLinux(pid: number): {name: string; parent: number} {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name stands in brackets and may hold anything.
  const end = stat.lastIndexOf(')')
  const [, parent] = stat.slice(end + 2).split(' ')
  return {name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(parent)}
}

function inspectOther(pid: number): {name: string; parent: number} | undefined {
  if (process.platform === 'win32') return undefined
  const told = execFileSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 1000,
  })
  const [, parent, command = ''] = /^(\d+)\s+(.*)$/.exec(told.trim()) ?? []
  if (parent === undefined) return undefined
  return {name: basename(command).replace(/^-/, ''), parent: Number(parent)}
}
