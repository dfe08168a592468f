import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const script = fileURLToPath(new URL('../../bench/memory.js', import.meta.url))

/** From version 24 on, Node keeps large strings outside the heap and lets some 64 MiB of them pile up. */
const pile = Number.parseInt(process.versions.node, 10) < 24 ? 0 : 64

test.each([
  ['1 GiB in lines of 1 MiB', 'lines', 1024, 95 + pile],
  // Up to the limit of 64 MiB a line must be held, in a buffer that grew by doubling.
  ['2 GiB in one line', 'line', 1, 160 + pile],
  ['1 GiB of all agents, as events', 'events', 1_000_000, 95 + pile],
])(
  '%s takes little memory',
  (title, name, records, mebibytes) => {
    // A heap that may grow does so when the machine is too busy to collect; what is held does not fit into this one.
    const args = ['--max-old-space-size=128', script, name]
    const output = execFileSync(process.execPath, args, {encoding: 'utf8'})
    const match = /^(.*?) +(\d+) records, \+(\d+) MiB/.exec(output)
    expect(match?.[1]).toBe(title)
    expect(Number(match?.[2])).toBeGreaterThanOrEqual(records)
    expect(Number(match?.[3])).toBeLessThan(mebibytes)
  },
  300_000,
)

test.skipIf(!existsSync('/proc/self/status'))(
  'vitrine view of 100 MB takes no more memory than of 10 MB',
  async () => {
    const peaks: number[] = []
    for (const megabytes of [10, 100]) peaks.push(await viewPeak(megabytes))
    const [small = 0, large = 0] = peaks
    expect(small).toBeGreaterThan(30)
    expect(large - small).toBeLessThan(40 + pile)
  },
  300_000,
)

/** The most memory, in MiB, that `vitrine view` has had for a file of this size. */
async function viewPeak(megabytes: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-memory-'))
  try {
    const file = join(folder, 'run.jsonl')
    const url = new URL('../../src/agents/claude/fixtures/2.1.325/subagent.jsonl', import.meta.url)
    const recording = readFileSync(url)
    const times = Math.ceil((megabytes * 1e6) / recording.length)
    writeFileSync(file, Buffer.concat(Array.from({length: times}, () => recording)))
    const child = spawn(process.execPath, [bin, 'view', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let peak = 0
    child.stdout.on('data', () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024)
    })
    await once(child, 'close')
    return peak
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
