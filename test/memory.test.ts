import {execFileSync} from 'node:child_process'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'

const script = fileURLToPath(new URL('../bench/memory.js', import.meta.url))

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
    const output = execFileSync(process.execPath, [script, name], {encoding: 'utf8'})
    const match = /^(.*?) +(\d+) records, \+(\d+) MiB/.exec(output)
    expect(match?.[1]).toBe(title)
    expect(Number(match?.[2])).toBeGreaterThanOrEqual(records)
    expect(Number(match?.[3])).toBeLessThan(mebibytes)
  },
  300_000,
)
