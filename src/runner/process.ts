import {readdirSync, readlinkSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {attempt} from '../recording/attempt.ts'
import {
  canSignal,
  findProcessesOfRun,
  findProcessesOfRunCached,
  listProcesses,
  readProcessStat,
  tryReadFile,
} from '../recording/process-id.ts'

/** Sends a signal to a process and its group; false when no process received it. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  // For kill(2), 0 is our own group and -1 is every process.
  return pid > 1 && trySignal(process.platform === 'win32' ? pid : -pid, signal)
}

/** False when the process has ended already. */
function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  return attempt(() => process.kill(pid, signal)) ?? false
}

const TERMINATE_TIMEOUT_MS = 2000

/**
 * Ends all remaining processes of a run: its group, and processes outside of the group with its marker.
 *
 * @returns The number of processes found.
 */
export async function endRemainingProcesses(groupId: number, marker: string): Promise<number> {
  // A run that ended earlier has no processes younger than the cache.
  if (groupId <= 1 && findProcessesOfRunCached(marker).length === 0) return 0
  const found = findRemaining(groupId, marker)
  if (found.length === 0) return 0
  for (const pid of found) trySignal(pid, 'SIGTERM')
  const until = Date.now() + TERMINATE_TIMEOUT_MS
  while (Date.now() < until && findRemaining(groupId, marker).length > 0) await setTimeout(50)
  // A killed process may have started another one just before.
  for (let round = 0; round < 5; round++) {
    const left = findRemaining(groupId, marker)
    if (left.length === 0) break
    for (const pid of left) trySignal(pid, 'SIGKILL')
    await setTimeout(20)
  }
  return found.length
}

function findRemaining(groupId: number, marker: string): number[] {
  if (process.platform === 'linux') {
    // Processes with a cleared environment have no marker, but stay in the group.
    const group = groupId > 1 ? listGroup(groupId).map(({pid}) => pid) : []
    return [...new Set([...findProcessesOfRun(marker), ...group])]
  }
  return groupId > 1 && canSignal(-groupId) ? [-groupId] : []
}

/** The running processes of a group. */
function listGroup(groupId: number): {pid: number; ticks: number}[] {
  return listProcesses().flatMap((pid) => {
    const stat = readProcessStat(pid)
    const isRunning = stat?.group === groupId && stat.state !== 'Z' && stat.state !== 'X'
    return isRunning ? [{pid, ticks: stat.ticks}] : []
  })
}

/** Whether a process is stopped by SIGSTOP or the like; only Linux reports it. */
export function isSuspended(pid: number): boolean {
  return pid > 0 && readProcessStat(pid)?.state === 'T'
}

/** Start times and file times are rounded. */
const START_TOLERANCE_MS = 100

/**
 * The shell command that a process of a run started after a time, such as a hook at the end of a session, which
 * agents do not report. Linux only.
 *
 * @param agentPid - The agent itself, which may be a shell too.
 * @param since - In milliseconds since 1970.
 */
export function findLateCommand(
  agentPid: number,
  marker: string,
  since: number,
): string | undefined {
  const bootedAt = Date.now() - Number.parseFloat(tryReadFile('/proc/uptime')) * 1000
  for (const pid of findProcessesOfRun(marker)) {
    if (pid === agentPid) continue
    const startedAt = bootedAt + Number(readProcessStat(pid)?.startTime) * (1000 / TICKS_PER_SECOND)
    if (!(startedAt >= since - START_TOLERANCE_MS)) continue
    const command = readShellCommand(pid)
    if (command !== undefined) return command
  }
  return undefined
}

/** The command that a shell runs, as in `sh -c 'npm test'`; `undefined` for other programs. */
function readShellCommand(pid: number): string | undefined {
  const [program = '', option = '', command] = tryReadFile(`/proc/${pid}/cmdline`).split('\0')
  const isShell = /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(program) && /^-[a-z]*c$/.test(option)
  return isShell ? command : undefined
}

/** Activity of a silent process, as reported by the system. */
export interface ProcessState {
  /** Percent of one core since the last measurement. */
  cpuPercent: number
  childCount: number
  connectionCount: number
}

/** Creates a function that measures the process group of a run; it returns `null` where that is not supported. */
export function createInspector(pid: number): () => ProcessState | null {
  let lastTicks: number | undefined
  let lastAt = Date.now()
  return () => {
    if (process.platform !== 'linux') return null
    const group = listGroup(pid)
    const ticks = group.reduce((sum, process) => sum + process.ticks, 0)
    const now = Date.now()
    const seconds = Math.max(0.001, (now - lastAt) / 1000)
    const used = lastTicks === undefined ? 0 : Math.max(0, ticks - lastTicks)
    lastTicks = ticks
    lastAt = now
    return {
      cpuPercent: Math.round((used / TICKS_PER_SECOND / seconds) * 100),
      childCount: group.filter((process) => process.pid !== pid).length,
      connectionCount: countConnections(group.map((process) => process.pid)),
    }
  }
}

/** The kernel reports times to user space in this unit on every platform. */
const TICKS_PER_SECOND = 100

const ESTABLISHED = '01'

function countConnections(pids: readonly number[]): number {
  const open = new Set<string>()
  for (const table of ['tcp', 'tcp6']) {
    for (const line of tryReadFile(`/proc/net/${table}`).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (fields[3] === ESTABLISHED && fields[9] !== undefined) open.add(fields[9])
    }
  }
  return pids.flatMap(listSockets).filter((inode) => open.has(inode)).length
}

function listSockets(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((fd) => {
    const target = attempt(() => readlinkSync(`${folder}/${fd}`)) ?? ''
    return /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []
  })
}
