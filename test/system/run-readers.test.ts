import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {afterAll, beforeAll, describe, test} from 'vitest'
import {createPlace, fake, placeTest, until, type Place} from '../support/run.ts'
import {readMemory} from '../support/process-stats.js'
import {startUnread} from '../support/unread-run.ts'
import {bin} from '../support/vitrine.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** The command line that runs a fake agent, for a shell. */
function commandFor(name: string, id: string, args: readonly string[] = []): string {
  const run = ['run', '--data-dir', place.dataDir, '--id', id, '--agent', 'claude', ...args]
  return [process.execPath, bin, ...run, '--', fake(name)].map((word) => `'${word}'`).join(' ')
}

function runInShell(command: string, env: Record<string, string>) {
  return spawnSync('sh', ['-c', command], {
    cwd: place.folder,
    env: {...process.env, ...place.env, ...env},
    encoding: 'utf8',
  })
}

test.skipIf(!existsSync('/dev/full'))(
  'a run continues to its verdict when stdout cannot be written',
  ({expect}) => {
    const command = `${commandFor('slow', 'full')} > /dev/full`
    const {status, stderr} = runInShell(command, {LINES: '10', MS: '10'})
    expect(status).toBe(0)
    expect(stderr).toMatch(/^vitrine: cannot write to stdout: .*\n$/)
    expect(place.readRun('full')).toMatchObject({result: {verdict: 'succeeded'}})
  },
)

test('a run continues to its verdict when the reader of stdout has closed it', async ({expect}) => {
  const command = `${commandFor('slow', 'head')} | head -n 1`
  expect(runInShell(command, {LINES: '20', MS: '10'}).stderr).toBe('')
  await until(() => place.readRun('head')['result'] !== undefined)
  expect(place.readRun('head')).toMatchObject({result: {verdict: 'succeeded'}})
})

// With more output: test/slow/run-readers.test.ts.
describe.concurrent('while the output of vitrine run is not read', () => {
  // More events than the queue between agent and output holds.
  const BYTES = 8_000_000

  placeTest.for(['json', 'raw', 'pretty'])(
    'it stops reading from the agent and prints no warning (--format %s)',
    async (format, {place: own, expect}) => {
      const unread = await startUnread(own, {format, bytes: BYTES})
      const {child, ended, stderr, readBytes} = unread
      const used = readMemory(child.pid ?? 0, 'VmHWM')
      expect(readBytes()).toBeLessThan(BYTES)
      child.stdout.resume()
      expect(await ended).toEqual([0, null])
      expect(stderr()).toBe('')
      expect(used).toBeLessThan(150)
      expect(readBytes()).toBeGreaterThanOrEqual(BYTES)
    },
  )
})
