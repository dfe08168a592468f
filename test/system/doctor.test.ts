import {chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {hashFolder} from '../support/hash-folder.ts'
import {createHome, removeHome} from '../support/transcripts.ts'
import {vitrine} from '../support/vitrine.ts'

let home = ''
let dataDir = ''

beforeEach(() => {
  home = createHome('claude')
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
})
afterEach(() => {
  removeHome(home)
  rmSync(dataDir, {recursive: true, force: true})
})

interface Report {
  checks: {name: string; state: string; text: string; fix?: string}[]
  passed: number
  warnings: number
  failed: number
}

test('checks the installation and changes nothing', () => {
  vitrine(['runs', '--data-dir', dataDir], {env: {HOME: home}})
  const before = [hashFolder(home), hashFolder(dataDir)]
  const {status, stdout, stderr} = run()
  expect({status, stderr}).toEqual({status: 0, stderr: ''})
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/^✓ Version {9}vitrine \d/)
  expect(lines[1]).toMatch(/^✓ Data folder {5}.*, writable, .* free$/)
  expect(lines[2]).toMatch(/^✓ Index {11}17 runs and sessions, up to date \(\d\d:\d\d\)$/)
  expect(lines[3]).toBe('– Hub             not running')
  expect(stdout).toContain('\nAgents\n')
  expect(stdout).toContain('claude')
  expect(stdout).toContain('17 sessions in ~/.claude/projects')
  expect(stdout).toMatch(/\n\d+ checks: \d+ passed, \d+ warnings?, 0 failed\n$/)
  expect([hashFolder(home), hashFolder(dataDir)]).toEqual(before)
})

test('does not create the data folder', () => {
  rmSync(dataDir, {recursive: true})
  expect(findCheck('Data folder')).toMatchObject({state: 'pass'})
  expect(findCheck('Index')).toMatchObject({
    state: 'pass',
    text: '17 runs and sessions, not indexed yet',
  })
  expect(hashFolder(dataDir)).toEqual({})
})

test('warns of sessions that Claude Code deletes soon, until they are archived', () => {
  const path = join(home, '.claude', 'projects', '-home-dev-webshop')
  for (const name of Object.keys(hashFolder(path))) {
    const seconds = Date.now() / 1000 - 29 * 86_400
    utimesSync(join(path, name), seconds, seconds)
  }
  expect(findCheck('Retention')).toEqual({
    group: 'Data',
    name: 'Retention',
    state: 'warning',
    text: '2 Claude Code sessions deleted within 7 days',
    fix: 'Run: vitrine archive',
  })
  vitrine(['archive', '--data-dir', dataDir], {env: {HOME: home}})
  expect(findCheck('Retention')).toMatchObject({state: 'pass'})
  expect(findCheck('Archive')).toMatchObject({state: 'pass', text: '17 sessions'})
})

test('names a record type that is not known', () => {
  const path = join(
    home,
    '.claude',
    'projects',
    '-home-dev-webshop',
    'b0000000-0000-4000-8000-000000000001.jsonl',
  )
  const now = new Date().toISOString()
  const user = {type: 'user', timestamp: now, message: {role: 'user', content: 'Hello'}}
  writeFileSync(path, `${JSON.stringify(user)}\n{"type":"hologram","timestamp":"${now}"}\n`)
  const {checks} = report()
  const check = checks.find(({name}) => name.startsWith('claude'))
  expect(check?.state).toBe('warning')
  expect(check?.text).toContain('1 unknown record type: hologram')
})

test('reports problems in the settings', () => {
  writeFileSync(join(dataDir, 'config.json'), '{"budget": {"monthUsd": "many"}}')
  expect(findCheck('Settings')).toMatchObject({state: 'warning', fix: 'Correct config.json'})
})

test('a damaged index is a warning, and stays as it is', () => {
  writeFileSync(join(dataDir, 'history.bin'), 'not a database '.repeat(1000))
  const before = hashFolder(dataDir)
  expect(findCheck('Index')).toMatchObject({
    state: 'warning',
    fix: 'To rebuild it, run: vitrine runs',
  })
  expect(hashFolder(dataDir)).toEqual(before)
})

test('fails when the path of the data folder is a file', () => {
  rmSync(dataDir, {recursive: true})
  writeFileSync(dataDir, '')
  const {status, stdout} = run()
  expect(status).toBe(1)
  expect(stdout).toContain('✗ Data folder')
})

test.skipIf(process.getuid?.() === 0)('fails when a session folder cannot be read', () => {
  const folder = join(home, '.gemini', 'tmp')
  mkdirSync(folder, {recursive: true})
  chmodSync(folder, 0)
  const {status, stdout} = run()
  chmodSync(folder, 0o700)
  expect(status).toBe(1)
  expect(stdout).toContain('✗ gemini          ~/.gemini/tmp: permission denied\n')
  expect(stdout).toContain('                  Run: chmod u+rx ~/.gemini/tmp\n')
})

function run(...args: string[]) {
  return vitrine(['doctor', ...args, '--data-dir', dataDir], {env: {HOME: home}})
}

function report(): Report {
  return JSON.parse(run('--json').stdout) as Report
}

function findCheck(name: string) {
  return report().checks.find((check) => check.name === name)
}
