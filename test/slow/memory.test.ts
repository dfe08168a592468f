import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {readMemory} from '../support/process-stats.js'

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const script = fileURLToPath(new URL('../../bench/memory.js', import.meta.url))

/** Node 24 and later keep large strings outside the heap and free them only after some 64 MiB. */
const extraMiB = Number.parseInt(process.versions.node, 10) < 24 ? 0 : 64

test.each([
  ['1 GiB in lines of 1 MiB', 'lines', 1024, 95 + extraMiB],
  // A line is held up to the limit of 64 MiB, in a buffer that doubles.
  ['2 GiB in one line', 'line', 1, 160 + extraMiB],
  ['1 GiB of all agents, as events', 'events', 800_000, 95 + extraMiB],
])(
  'decoding %s takes little memory',
  (title, name, records, mebibytes) => {
    // A larger heap grows on a busy machine before garbage is collected; a leak would not fit into this one.
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
  'vitrine view takes no more memory for 100 MB than for 10 MB',
  async () => {
    const peaks: number[] = []
    for (const megabytes of [10, 100]) peaks.push(await measureView(megabytes))
    const [small = 0, large = 0] = peaks
    expect(small).toBeGreaterThan(30)
    expect(large - small).toBeLessThan(40 + extraMiB)
  },
  300_000,
)

/** The peak memory of `vitrine view` in MiB for a file of this size. */
async function measureView(megabytes: number): Promise<number> {
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
      peak = Math.max(peak, readMemory(child.pid ?? 0, 'VmHWM'))
    })
    await once(child, 'close')
    return peak
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}
