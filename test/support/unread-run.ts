import {spawn, type ChildProcessByStdio} from 'node:child_process'
import {once} from 'node:events'
import {existsSync} from 'node:fs'
import type {Readable} from 'node:stream'
import {readCpuSeconds} from './process-stats.js'
import {fake, readLines, sleep, until, type Place} from './run.ts'
import {bin} from './vitrine.ts'

interface UnreadRun {
  child: ChildProcessByStdio<null, Readable, Readable>
  /** Exit code and signal. */
  ended: Promise<unknown[]>
  stderr(): string
  /** How many bytes of the agent's output were read so far. */
  readBytes(): number
}

/** Starts `vitrine run`, does not read its stdout, and waits until all output of the agent is recorded. */
export async function startUnread(
  place: Place,
  {format, bytes}: {format: string; bytes: number},
): Promise<UnreadRun> {
  const id = `unread-${format}`
  const report = place.file(`${id}.report`)
  const args = ['run', '--data-dir', place.dataDir, '--id', id, '--agent', 'claude']
  const child = spawn(
    process.execPath,
    [bin, ...args, '--format', format, '--', fake('prints-bytes')],
    {
      cwd: place.folder,
      env: {...process.env, ...place.env, BYTES: String(bytes), REPORT: report},
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = once(child, 'exit')
  // The agent has printed its last byte, and nothing more is read from it.
  await until(() => existsSync(report))
  await untilIdle(child.pid ?? 0)
  return {child, ended, stderr: () => stderr, readBytes: () => lastPosition(place, id)}
}

/** Waits until a process, which polls from time to time, uses almost no CPU. */
async function untilIdle(pid: number): Promise<void> {
  for (let before = -Infinity, now = readCpuSeconds(pid); now - before > 0.02;) {
    await sleep(500)
    before = now
    now = readCpuSeconds(pid)
  }
}

/** The offset up to which the output of a run was read, according to its `timing.ndjson`. */
function lastPosition(place: Place, id: string): number {
  const chunks = readLines(place.read(id, 'timing.ndjson').toString()) as [number, string, number][]
  return Math.max(0, ...chunks.map(([, kind, end]) => (kind === 'out' ? end : 0)))
}
