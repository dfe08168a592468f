import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {attempt} from './attempt.ts'

/** Identifies a process. A pid alone does not: another process may have it later. */
export interface ProcessId {
  pid: number
  /** When the process started, in clock ticks since boot. Available on Linux only. */
  startTime?: string | undefined
}

/** The environment variable that identifies every process of a run, including detached ones. */
export const RUN_TAGS_ENV = 'VITRINE_RUNS'

/** The part of a run's marker that its processes carry. The marker itself is secret: it authenticates the supervisor. */
export function toProcessTag(marker: string): string {
  return createHash('sha256').update(marker).digest('hex').slice(0, 32)
}

/** The identity of a process that runs now. */
export function toProcessId(pid: number): ProcessId {
  return {pid, startTime: readProcessStat(pid)?.startTime}
}

/** Whether a process is still running. A zombie is not. */
export function isAlive({pid, startTime}: ProcessId): boolean {
  if (process.platform !== 'linux') return canSignal(pid)
  const stat = readProcessStat(pid)
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return false
  return startTime === undefined || stat.startTime === startTime
}

/** The running processes of the run with this marker. Works on Linux only. */
export function findProcessesOfRun(marker: string): number[] {
  return pickAlive(scanRunTags(), marker)
}

const MAX_SCAN_AGE_MS = 200
let lastScan = {at: -Infinity, pidsByTag: new Map<string, number[]>()}

/**
 * The same from a scan that may be a moment old. After a crash many runs are checked at once, and reading the environment
 * of all processes for each of them is slow.
 */
export function findProcessesOfRunCached(marker: string): number[] {
  const now = performance.now()
  if (now - lastScan.at > MAX_SCAN_AGE_MS) lastScan = {at: now, pidsByTag: scanRunTags()}
  return pickAlive(lastScan.pidsByTag, marker)
}

function pickAlive(pidsByTag: Map<string, number[]>, marker: string): number[] {
  return (pidsByTag.get(toProcessTag(marker)) ?? []).filter((pid) => isAlive({pid}))
}

function scanRunTags(): Map<string, number[]> {
  const pidsByTag = new Map<string, number[]>()
  for (const pid of listProcesses()) {
    if (pid === process.pid) continue
    for (const tag of readRunTags(pid)) pidsByTag.set(tag, [...(pidsByTag.get(tag) ?? []), pid])
  }
  return pidsByTag
}

function readRunTags(pid: number): string[] {
  const environment = tryReadFile(`/proc/${pid}/environ`)
  const at = `\0${environment}`.indexOf(`\0${RUN_TAGS_ENV}=`)
  if (at === -1) return []
  const start = at + RUN_TAGS_ENV.length + 1
  const end = environment.indexOf('\0', start)
  return environment.slice(start, end === -1 ? undefined : end).split(' ')
}

/** The status of a process on Linux. */
export interface ProcessStat {
  /** The name of the program. */
  name: string
  state: string
  parent: number
  group: number
  ticks: number
  startTime: string
}

/** Reads the status of a process; `undefined` when it has ended, and on other systems than Linux. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const stat = tryReadFile(`/proc/${pid}/stat`)
  // The name of the program is in brackets and may contain any character.
  const nameEnd = stat.lastIndexOf(')')
  const name = stat.slice(stat.indexOf('(') + 1, nameEnd)
  const fields = stat.slice(nameEnd + 2).split(' ')
  const [state, parent, group, , , , , , , , , user, system, childUser, childSystem] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return undefined
  const ticks = [user, system, childUser, childSystem].reduce((sum, part) => sum + Number(part), 0)
  return {name, state, parent: Number(parent), group: Number(group), ticks, startTime}
}

/** The pids of all processes; empty on other systems than Linux. */
export function listProcesses(): number[] {
  return (attempt(() => readdirSync('/proc')) ?? []).map(Number).filter(Number.isInteger)
}

/** Whether a process or a process group with this id exists. */
export function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Reads a file of bytes, as in `/proc`; empty when it cannot be read. */
export function tryReadFile(path: string): string {
  return attempt(() => readFileSync(path, 'latin1')) ?? ''
}
