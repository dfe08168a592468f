import {execFileSync, spawnSync} from 'node:child_process'
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, lastVerdict, readLines, type Place} from '../support/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-full-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
const canMount = mounted.status === 0

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
  if (canMount) execFileSync('umount', [folder])
  rmSync(folder, {recursive: true})
})

// A small disk needs the permission to mount one.
describe.skipIf(!canMount)('a full disk', () => {
  test('is reported once and in the verdict, which is still written', async () => {
    const dataDir = join(folder, 'data')
    const args = ['--data-dir', dataDir, '--id', 'full', '--format', 'json']
    const ended = await place.runFake('prints-bytes', args, {env: {BYTES: '8000000'}})
    expect(ended.exitCode).toBe(1)
    expect(ended.stderr.split('the recording is incomplete').length - 1).toBe(1)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'truncated'})
    const {stdout} = await place.start(['runs', '--json', '--data-dir', dataDir]).ended
    expect(readLines(stdout)).toMatchObject([{runId: 'full', verdict: 'truncated'}])
    expect(JSON.stringify(lastVerdict(ended))).toContain('the disk was full')
    await place.expectNoSurvivors()
  })

  test('prevents the start of the agent', async () => {
    const dataDir = join(folder, 'data')
    rmSync(dataDir, {recursive: true, force: true})
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'fill')}`, 'bs=64k'])
    const ended = await place.runFake('happy', ['--data-dir', dataDir])
    expect(ended).toMatchObject({exitCode: 1, stdout: ''})
    expect(ended.stderr).toMatch(
      /^vitrine: cannot write the recording: .*: no space left on the device\. The agent was not started\n$/,
    )
  })
})

test('vitrine run without a folder for recordings does not start the agent', async () => {
  const path = place.file('file')
  writeFileSync(path, '')
  const ended = await place.runFake('happy', ['--data-dir', path])
  expect(ended.exitCode).toBe(1)
  expect(ended.stderr).toContain(
    `${path}/runs: part of the path is a file, expected a folder. The agent was not started`,
  )
})
