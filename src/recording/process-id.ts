import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'

/** A process by more than its number, which another may have after it. */
export interface ProcessId {
  pid: number
  /** When it started, in the kernel's own measure; only Linux tells. */
  startTime?: string | undefined
}

/** The variable by which everything that a run starts can be found again, wherever it hides. */
export const RUN_TAGS_ENV = 'VITRINE_RUNS'

/** What processes carry of the marker of their run. The marker itself proves to a hub who supervises the run. */
export function toProcessTag(marker: string): string {
  return createHash('sha256').update(marker).digest('hex').slice(0, 32)
}

/** Names a process so that it can be told from a later one of the same number. */
export function toProcessId(pid: number): ProcessId {
  return {pid, startTime: readProcessStat(pid)?.startTime}
}

/** Tells whether a process still runs. One that has ended and only waits to be noticed does not. */
export function isAlive({pid, startTime}: ProcessId): boolean {
  if (process.platform !== 'linux') return canSignal(pid)
  const stat = readProcessStat(pid)
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return false
  return startTime === undefined || stat.startTime === startTime
}

/** The processes of the run with this marker, but for those that have ended; only Linux lets us look. */
export function findProcessesOfRun(marker: string): number[] {
  const tag = toProcessTag(marker)
  return listProcesses().filter((pid) => {
    if (pid === process.pid) return false
    const runs = readRunTags(pid)
    return runs.includes(tag) && isAlive({pid})
  })
}

/** How old a scan of all processes may be. */
const MAX_SCAN_AGE_MS = 200
let lastScan = {at: -Infinity, pidsByTag: new Map<string, number[]>()}

/**
 * The same from a scan that may be a moment old. After a crash, many runs are looked for at once, and to read the
 * environment of all processes for each takes long.
 */
export function findProcessesOfRunCached(marker: string): number[] {
  const now = performance.now()
  if (now - lastScan.at > MAX_SCAN_AGE_MS) lastScan = {at: now, pidsByTag: scanRunTags()}
  const pids = lastScan.pidsByTag.get(toProcessTag(marker)) ?? []
  return pids.filter((pid) => isAlive({pid}))
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

/** What Linux tells of a process. */
export interface ProcessStat {
  state: string
  group: number
  ticks: number
  startTime: string
}

/** The facts of a process that Linux tells; `undefined` when it is gone, and elsewhere. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const stat = tryReadFile(`/proc/${pid}/stat`)
  // The name of the program stands in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, , group, , , , , , , , , user, system, childUser, childSystem] = fields
  const startTime = fields[19]
  if (state === undefined || startTime === undefined) return undefined
  const ticks = [user, system, childUser, childSystem].reduce((sum, part) => sum + Number(part), 0)
  return {state, group: Number(group), ticks, startTime}
}

/** The numbers of all processes; none where the system does not tell. */
export function listProcesses(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/** Tells whether there is a process, or a group, of that number. */
export function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Reads a file of the system; empty when it is gone. */
export function tryReadFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
