import {readdirSync, readlinkSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {
  canSignal,
  findProcessesOfRun,
  findProcessesOfRunCached,
  listProcesses,
  readProcessStat,
  tryReadFile,
} from '../recording/process-id.ts'

/** Sends a signal to a process and everything in its group; false when nobody was there. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  // To the system 0 is our own group, and 1 is everybody.
  if (pid <= 1) return false
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

/** How long those who are left behind have, to go by themselves. */
const PATIENCE_MS = 2000

/**
 * Ends everything of a run that is still there: its group, and what left the group but carries its marker.
 *
 * @returns How many there were.
 */
export async function sweep(groupId: number, marker: string): Promise<number> {
  // A run that ended before we looked has nothing that is a moment old.
  if (groupId <= 1 && findProcessesOfRunCached(marker).length === 0) return 0
  const found = findLeft(groupId, marker)
  if (found.length === 0) return 0
  for (const pid of found) tell(pid, 'SIGTERM')
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && findLeft(groupId, marker).length > 0) await setTimeout(50)
  // Whoever is killed may just have started another.
  for (let round = 0; round < 5; round++) {
    const left = findLeft(groupId, marker)
    if (left.length === 0) break
    for (const pid of left) tell(pid, 'SIGKILL')
    await setTimeout(20)
  }
  return found.length
}

function findLeft(groupId: number, marker: string): number[] {
  if (process.platform === 'linux') {
    const group = groupId > 1 ? listProcesses().filter((pid) => isIn(groupId, pid)) : []
    return [...new Set([...findProcessesOfRun(marker), ...group])]
  }
  return groupId > 1 && canSignal(-groupId) ? [-groupId] : []
}

/** Whoever starts with an environment of its own carries no marker, but stays in the group. */
function isIn(groupId: number, pid: number): boolean {
  const stat = readProcessStat(pid)
  return stat?.group === groupId && stat.state !== 'Z' && stat.state !== 'X'
}

/** Whether a process is stopped by SIGSTOP or the like; only Linux reports it. */
export function isSuspended(pid: number): boolean {
  return pid > 0 && readProcessStat(pid)?.state === 'T'
}

/** Start times and the times of files are rounded. */
const START_TOLERANCE_MS = 100

/**
 * The command that a process of a run has a shell run since a moment, such as a hook for the end of a session: agents do
 * not report those. Only Linux lets us look.
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

/** What a shell was told to run, as in `sh -c 'npm test'`; `undefined` for any other program. */
function readShellCommand(pid: number): string | undefined {
  const [program = '', option = '', command] = tryReadFile(`/proc/${pid}/cmdline`).split('\0')
  const isShell = /(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(program) && /^-[a-z]*c$/.test(option)
  return isShell ? command : undefined
}

/** What a process that says nothing is doing, as far as the system tells. */
export interface ProcessState {
  /** Of one core, over the time since the last look. */
  cpuPercent: number
  childCount: number
  connectionCount: number
}

/** Makes a watch on the processes of a run; `null` from it where the system does not tell. */
export function createInspector(pid: number): () => ProcessState | null {
  let lastTicks: number | undefined
  let lastAt = Date.now()
  return () => {
    if (process.platform !== 'linux') return null
    const group = listProcesses()
      .map((id) => ({id, stat: readProcessStat(id)}))
      .filter(({stat}) => stat?.group === pid && stat.state !== 'Z')
    const ticks = group.reduce((sum, {stat}) => sum + (stat?.ticks ?? 0), 0)
    const now = Date.now()
    const seconds = Math.max(0.001, (now - lastAt) / 1000)
    const used = lastTicks === undefined ? 0 : Math.max(0, ticks - lastTicks)
    lastTicks = ticks
    lastAt = now
    return {
      cpuPercent: Math.round((used / TICKS_PER_SECOND / seconds) * 100),
      childCount: group.filter(({id}) => id !== pid).length,
      connectionCount: countConnections(group.map(({id}) => id)),
    }
  }
}

/** As Linux counts for everybody, whatever the kernel does. */
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
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(tryReadLink(`/proc/${pid}/fd/${fd}`))?.[1]
      return inode === undefined ? [] : [inode]
    })
  } catch {
    return []
  }
}

function tell(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone, which is what was wanted.
  }
}

function tryReadLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
