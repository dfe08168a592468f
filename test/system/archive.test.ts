import {spawn} from 'node:child_process'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {openArchive} from '../../src/history/archive/archive.ts'
import {digestOf, hashFolder} from '../support/hash-folder.ts'
import {createHome, removeHome} from '../support/transcripts.ts'
import {bin, vitrine} from '../support/vitrine.ts'

let home = ''
let dataDir = ''

beforeEach(() => {
  home = createHome('claude')
  removeEmptySession()
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
})
afterEach(() => {
  removeHome(home)
  rmSync(dataDir, {recursive: true, force: true})
})

test('archives all sessions and prints a summary', () => {
  const before = hashFolder(home)
  const first = run('archive')
  expect(first).toMatchObject({status: 0, stderr: ''})
  expect(first.stdout).toMatch(
    /^Archived 17 new sessions, \d+ files\n17 sessions, \d+ files in the archive: .* \(\d\d% saved\)\n$/,
  )
  expect(run('archive').stdout).toMatch(/^Nothing new to archive\n17 sessions, /)
  expect(hashFolder(home)).toEqual(before)
})

test('lists archived sessions and restores one by the start of its id', () => {
  run('archive')
  const before = hashFolder(home)
  rmSync(join(home, '.claude', 'projects'), {recursive: true})
  const rows = listArchived()
  expect(rows).toHaveLength(17)
  expect(rows.every(({isGone}) => isGone)).toBe(true)
  expect(run('archive', 'list').stdout).toContain('\tgone\n')

  const {id} = rows[0] ?? {id: ''}
  expect(run('archive', 'restore', id.slice(0, 8)).stdout).toMatch(
    /^Restored \d+ files?\n {2}~\/\.claude/,
  )
  expect(run('archive', 'restore', '--all').status).toBe(0)
  expect(hashFolder(home)).toEqual(before)
})

test('does not replace a file with other content, and restores beside it', () => {
  run('archive')
  const [{id, paths} = NO_SESSION] = listArchived()
  const [path = ''] = paths
  const original = readFileSync(path)
  writeFileSync(path, 'something else')
  const refused = run('archive', 'restore', id)
  expect(refused.status).toBe(1)
  expect(refused.stderr).toBe(
    `vitrine: ${path} exists with other content and was not changed. Use --to to restore elsewhere\n`,
  )
  expect(readFileSync(path, 'utf8')).toBe('something else')
  const to = join(home, 'restored')
  expect(run('archive', 'restore', id, '--to', to).status).toBe(0)
  const copies = Object.values(hashFolder(to)).map((hash) => hash.split(' ')[0])
  expect(copies).toContain(digestOf(original))
})

test('reports damage, and refuses to remove the only copy', () => {
  run('archive')
  expect(run('archive', 'verify')).toMatchObject({status: 0, stderr: ''})
  const [{id, paths} = NO_SESSION] = listArchived()
  for (const path of paths) rmSync(path)
  expect(run('archive', 'rm', id)).toEqual({
    status: 2,
    stdout: '',
    stderr: `vitrine: the original of session ${id} is gone: the archive has the only copy. Use --force to remove it\n`,
  })
  expect(run('archive', 'rm', id, '--force').stdout).toBe(
    `Session ${id} removed from the archive\n`,
  )

  const chunks = join(dataDir, 'archive', 'chunks')
  const [folder = ''] = readdirSync(chunks)
  const [name = ''] = readdirSync(join(chunks, folder))
  writeFileSync(join(chunks, folder, name), 'damaged')
  const damaged = run('archive', 'verify')
  expect(damaged.status).toBe(1)
  expect(damaged.stdout).toMatch(/: \d+ damaged\n$/)
})

test('archives only sessions that Claude Code deletes soon', () => {
  const project = join(home, '.claude', 'projects', '-home-dev-webshop')
  for (const name of readdirSync(project)) {
    const days = Date.now() / 1000 - 26 * 86_400
    utimesSync(join(project, name), days, days)
  }
  const {stdout} = run('archive', '--at-risk', '--json')
  expect(JSON.parse(stdout)).toMatchObject({newSessions: 2, sessions: 2, problems: []})
  expect(run('archive', '--at-risk').stdout).toMatch(
    /^Nothing new to archive: no session will be deleted soon\n/,
  )
})

test.each([
  [['archive', 'restore'], 'name one session to restore, or use --all'],
  [['archive', 'restore', 'nope'], 'session nope is not in the archive'],
  [['archive', 'rm'], 'name the session to remove'],
  [['archive', 'list', '--watch'], '--watch cannot be used with vitrine archive list'],
  [['archive', '--agent', 'amp'], 'Amp keeps no sessions that can be read'],
  [['archive', 'keep'], "'keep' is invalid"],
])('vitrine %j explains the mistake', (args, message) => {
  const {status, stderr} = run(...args)
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

test('continues to archive what changes until it is interrupted', async () => {
  const child = start('archive', '--watch')
  const path = join(
    home,
    '.claude',
    'projects',
    '-home-dev-webshop',
    'b0000000-0000-4000-8000-000000000001.jsonl',
  )
  const archived = openArchive(dataDir)
  await vi.waitFor(() => expect(archived.list()).toHaveLength(17), {timeout: 30_000})
  writeFileSync(path, row(0))
  await vi.waitFor(() => expect(archived.list()).toHaveLength(18), {timeout: 30_000})
  appendFileSync(path, row(1))
  const sizeOf = () =>
    archived
      .list()
      .flatMap(({files}) => files)
      .find(({key}) => key === path)?.size
  await vi.waitFor(() => expect(sizeOf()).toBe(row(0).length + row(1).length), {timeout: 30_000})
  child.kill('SIGINT')
  expect(await exitOf(child)).toEqual([0, null])
})

/** A session without a record is not archived. */
function removeEmptySession(): void {
  for (const [path] of Object.entries(hashFolder(home)).filter(([, hash]) =>
    hash.startsWith(EMPTY),
  )) {
    rmSync(join(home, path))
  }
}

const EMPTY = digestOf('')

function run(...args: string[]) {
  return vitrine([...args, '--data-dir', dataDir], {env: {HOME: home}})
}

function start(...args: string[]) {
  return spawn(process.execPath, [bin, ...args, '--data-dir', dataDir], {
    env: {PATH: process.env['PATH'], HOME: home},
    stdio: 'ignore',
  })
}

function exitOf(child: ReturnType<typeof start>): Promise<unknown[]> {
  if (child.exitCode !== null) return Promise.resolve([child.exitCode, child.signalCode])
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))
}

function row(index: number): string {
  const text = digestOf(String(index))
  return `{"type":"user","uuid":"${text}","message":{"role":"user","content":"${text}"}}\n`
}

interface ArchivedRow {
  id: string
  isGone: boolean
  paths: string[]
}

const NO_SESSION: ArchivedRow = {id: '', isGone: false, paths: []}

function listArchived(): ArchivedRow[] {
  const {stdout} = run('archive', 'list', '--json')
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchivedRow)
}
