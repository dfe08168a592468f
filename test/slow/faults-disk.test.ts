import {execFileSync, spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startHub} from '../support/hub.ts'
import {createPlace, lastVerdict, type Place} from '../support/run.ts'

const folders = ['small', 'sealed'].map((name) => mkdtempSync(join(tmpdir(), `vitrine-${name}-`)))
const [folder = '', sealed = ''] = folders
const mounts = folders.map((path) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]),
)
const canMount = mounts.every(({status}) => status === 0)

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
  for (const path of folders) {
    if (canMount) execFileSync('umount', ['-l', path])
    rmSync(path, {recursive: true})
  }
})

/** Fills the disk with one file. */
function fill(): void {
  spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'fill')}`, 'bs=4k'])
}

// A small disk needs the permission to mount one.
describe.skipIf(!canMount)('a hub on a full disk', () => {
  test('keeps running and indexes new runs once there is space again', async () => {
    const small: Place = {...place, dataDir: join(folder, 'data')}
    const hub = await startHub(small)
    const elsewhere = ['--hub', hub.url, '--format', 'json']
    const env = {VITRINE_TOKEN: hub.token}
    await place.runFake('happy', ['--id', 'before', ...elsewhere], {env})
    await expect.poll(() => hub.json('/api/runs/before')).toMatchObject({run: {state: 'over'}})

    fill()
    const during = await place.runFake('slow', ['--id', 'during', ...elsewhere], {
      env: {...env, LINES: '30', MS: '5'},
    })
    // A hub with a full disk does not affect the run.
    expect(lastVerdict(during)).toMatchObject({verdict: 'succeeded'})
    expect(await hub.json('/api/runs/before')).toMatchObject({run: {state: 'over'}})
    expect((await hub.get('/healthz')).status).toBe(200)

    rmSync(join(folder, 'fill'))
    await place.runFake('happy', ['--id', 'after', ...elsewhere], {env})
    await expect.poll(() => hub.json('/api/runs/after')).toMatchObject({run: {state: 'over'}})
    const {events} = (await hub.json('/api/runs/after/events')) as {events: {seq: number}[]}
    expect(events.map(({seq}) => seq)).toEqual(events.map((_, at) => at + 1))
    await hub.stop()
  })

  test('does not start and reports the reason', async () => {
    rmSync(join(folder, 'data'), {recursive: true, force: true})
    mkdirSync(join(folder, 'data'))
    fill()
    const args = ['serve', '--port', '0', '--data-dir', join(folder, 'data')]
    const {exitCode, stderr} = await place.start(args).ended
    rmSync(join(folder, 'fill'))
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^vitrine: .*no space left.*\n$/)
  })
})

describe.skipIf(!canMount)('a read-only data folder', () => {
  const dataDir = join(sealed, 'data')
  const data = ['--data-dir', dataDir]

  beforeAll(async () => {
    await place.runFake('happy', ['--id', 'old', ...data])
    execFileSync('mount', ['-o', 'remount,ro', sealed])
  })

  afterAll(() => {
    execFileSync('mount', ['-o', 'remount,rw', sealed])
  })

  test('makes vitrine run reject the agent', async () => {
    const ended = await place.runFake('happy', data)
    expect(ended).toMatchObject({exitCode: 1, stdout: ''})
    expect(ended.stderr).toMatch(/^vitrine: .*read-only\. The agent was not started\n$/)
  })

  test('makes vitrine serve fail with the reason', async () => {
    const {exitCode, stderr} = await place.start(['serve', '--port', '0', ...data]).ended
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^vitrine: cannot write to .*read-only.*\n$/)
  })

  test('does not make a hook fail', async () => {
    const input =
      '{"session_id":"s","hook_event_name":"SessionStart","cwd":"/tmp","source":"startup"}'
    const {exitCode, stdout} = await place.start(['hook', ...data], {input}).ended
    expect({exitCode, stdout}).toEqual({exitCode: 0, stdout: ''})
  })

  test('can be listed, viewed, attached to and exported from', async () => {
    const listed = await place.start(['runs', '--json', ...data]).ended
    expect(listed.stdout).toContain('"runId":"old"')
    const viewed = await place.start(['view', 'old', ...data]).ended
    expect(viewed).toMatchObject({exitCode: 0, stderr: ''})
    const attached = await place.start(['attach', 'old', ...data]).ended
    expect(attached.exitCode).toBe(0)
    const page = place.file('old.html')
    const exported = await place.start(['export', 'old', '--output', page, ...data]).ended
    expect(exported.exitCode).toBe(0)
    expect(existsSync(page)).toBe(true)
  })

  test.each([
    ['export', 'old', '--output', join(sealed, 'page.html')],
    ['rm', 'old'],
    ['reindex'],
    ['token'],
  ])('makes vitrine %s fail with the reason', async (...args) => {
    const {exitCode, stderr} = await place.start([...args, ...data]).ended
    expect([1, 2]).toContain(exitCode)
    expect(stderr).toMatch(/^vitrine: [^\n]*read-only[^\n]*\n$/)
  })
})

test('a run whose recording directory is removed reports it and ends with its agent', async () => {
  const {ended, prints} = place.startFake('slow', ['--id', 'gone', '--format', 'json'], {
    env: {LINES: '40', MS: '25'},
  })
  // Its files are open when it has printed an event.
  await prints('\n')
  rmSync(place.dirOf('gone'), {recursive: true})
  // A file in place of the folder, so that it cannot be created again.
  writeFileSync(place.dirOf('gone'), '')
  const result = await ended
  expect(result.stderr).not.toMatch(/\n\s+at /)
  expect(result.stderr).toContain('the recording is incomplete')
  expect(lastVerdict(result)).toMatchObject({type: 'verdict', turns: 40})
  await place.expectNoSurvivors()
})
