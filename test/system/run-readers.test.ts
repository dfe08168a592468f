import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, readFileSync, statSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, fake, sleep, until, type Place} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** The words that start a fake agent, for a shell. */
function commandFor(name: string, id: string, args: readonly string[] = []): string {
  const run = ['run', '--data-dir', place.dataDir, '--id', id, '--agent', 'claude', ...args]
  return [process.execPath, bin, ...run, '--', fake(name)].map((word) => `'${word}'`).join(' ')
}

test.skipIf(!existsSync('/dev/full'))(
  'the run goes on to its verdict when stdout cannot be written',
  async () => {
    const command = `${commandFor('slow', 'full')} > /dev/full`
    const env = {...process.env, LINES: '10', MS: '20'}
    const {status, stderr} = spawnSync('sh', ['-c', command], {env, encoding: 'utf8'})
    expect(status).toBe(0)
    expect(stderr).toMatch(/^vitrine: cannot write: .*\n$/)
    expect(place.readRun('full')).toMatchObject({result: {verdict: 'succeeded'}})
  },
)

test('the run goes on to its verdict when nobody reads stdout any more', async () => {
  const env = {...process.env, LINES: '20', MS: '20'}
  const command = `${commandFor('slow', 'head')} | head -n 1`
  expect(spawnSync('sh', ['-c', command], {env, encoding: 'utf8'}).stderr).toBe('')
  await until(() => place.readRun('head')['result'] !== undefined)
  expect(place.readRun('head')).toMatchObject({result: {verdict: 'succeeded'}})
})

describe('a reader that is slow', () => {
  test.each(['json', 'raw', 'pretty'])(
    '%s: costs no memory, and nothing is said of it',
    async (format) => {
      const id = `slow-${format}`
      const args = ['run', '--data-dir', place.dataDir, '--id', id, '--agent', 'claude']
      const words = [bin, ...args, '--format', format, '--', fake('prints-much')]
      const child = spawn(process.execPath, words, {
        env: {...process.env, BYTES: '150000000'},
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const ended = once(child, 'exit')
      // Nobody reads until all is printed.
      await until(() => sizeOf(id) >= 150_000_000)
      await sleep(1500)
      const used = peakMemory(child.pid ?? 0)
      child.stdout.resume()
      expect(await ended).toEqual([0, null])
      expect(stderr).toBe('')
      expect(used).toBeLessThan(150)
    },
  )
})

function sizeOf(id: string): number {
  const path = `${place.dirOf(id)}/stdout`
  return existsSync(path) ? statSync(path).size : 0
}

/** The most memory that a process has had, in MB. */
function peakMemory(pid: number): number {
  const [, kilobytes = '0'] =
    /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
