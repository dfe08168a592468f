import {readFileSync, statSync} from 'node:fs'
import {readMemory} from '../support/process-stats.js'
import {startUnread} from '../support/unread-run.ts'
import {lastVerdict, placeTest as test} from '../support/run.ts'

const BYTES = 150_000_000

test.for(['json', 'raw', 'pretty'])(
  'vitrine run --format %s needs little memory while its output is not read',
  async (format, {place, expect}) => {
    const {child, ended, stderr} = await startUnread(place, {format, bytes: BYTES})
    const used = readMemory(child.pid ?? 0, 'VmHWM')
    child.stdout.resume()
    expect(await ended).toEqual([0, null])
    expect(stderr()).toBe('')
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThan(150)
  },
)

test('vitrine run records 20 MB of output byte for byte', async ({place, expect}) => {
  const copy = place.file('copy')
  const ended = await place.runFake('prints-bytes', ['--id', 'much', '--format', 'json'], {
    env: {BYTES: '20000000', COPY: copy},
  })
  expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', malformed: 0, unknown: 0})
  const recorded = place.read('much', 'stdout')
  expect(recorded.length).toBe(statSync(copy).size)
  expect(recorded.equals(readFileSync(copy))).toBe(true)
})
