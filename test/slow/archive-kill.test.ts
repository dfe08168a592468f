import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout} from 'node:timers/promises'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openArchive} from '../../src/history/archive/archive.ts'
import {digestOf, hashFolder} from '../support/hash-folder.ts'
import {bin, vitrine} from '../support/vitrine.ts'

const SESSIONS = 200
const ROWS = 500

let home = ''
let dataDir = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vitrine-home-'))
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
})
afterEach(() => {
  rmSync(home, {recursive: true, force: true})
  rmSync(dataDir, {recursive: true, force: true})
})

test('an archive is intact after its process was killed, and the next run completes it', async () => {
  const folder = join(home, '.claude', 'projects', '-home-dev-big')
  mkdirSync(folder, {recursive: true})
  for (let file = 0; file < SESSIONS; file++) {
    const id = `c0000000-0000-4000-8000-${String(file).padStart(12, '0')}`
    const rows = Array.from({length: ROWS}, (_, index) => row(file * ROWS + index))
    writeFileSync(join(folder, `${id}.jsonl`), rows.join(''))
  }
  const archived = openArchive(dataDir)
  for (const delay of [250, 350, 450, 550, 650, 750]) {
    const child = spawn(process.execPath, [bin, 'archive', '--data-dir', dataDir], {
      env: {PATH: process.env['PATH'], HOME: home},
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await setTimeout(delay)
    child.kill('SIGKILL')
    await exited
    expect(archived.verify()).toEqual([])
  }
  expect(run('archive').status).toBe(0)
  expect(archived.verify()).toEqual([])
  expect(archived.list()).toHaveLength(SESSIONS)
  const before = hashFolder(home)
  rmSync(join(home, '.claude', 'projects'), {recursive: true})
  expect(run('archive', 'restore', '--all').status).toBe(0)
  expect(hashFolder(home)).toEqual(before)
})

function run(...args: string[]) {
  return vitrine([...args, '--data-dir', dataDir], {env: {HOME: home}})
}

function row(index: number): string {
  const text = digestOf(String(index))
  return `{"type":"user","uuid":"${text}","message":{"role":"user","content":"${text}"}}\n`
}
