import {mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {claudeTranscripts} from '../../agents/claude/transcript.ts'
import {readHistory, type History} from '../history.ts'
import {archiveSessions} from './archive-sessions.ts'
import {findAtRisk} from './at-risk.ts'

const NOW = Date.UTC(2026, 10, 19, 12)
const DAY_MS = 86_400_000

let home = ''
let dataDir = ''

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vitrine-home-'))
  dataDir = join(home, 'data')
  mkdirSync(join(home, '.claude', 'projects', 'p'), {recursive: true})
})
afterEach(() => rmSync(home, {recursive: true, force: true}))

test('names sessions that were last written 23 or more days ago, and when they are deleted', async () => {
  const path = addSession('old', 24)
  addSession('new', 22)
  expect(await findRisk()).toEqual({
    agent: 'claude',
    sessions: 1,
    bytes: 61,
    withinDays: 7,
    keptDays: 30,
    sessionIds: ['old'],
    files: [{path, bytes: 61, deletedAt: NOW + 6 * DAY_MS}],
  })
})

test('uses the setting cleanupPeriodDays, also from settings.local.json', async () => {
  addSession('a', 5)
  expect(await findRisk()).toBeNull()
  writeSettings('settings.json', '{"cleanupPeriodDays": 10}')
  expect(await findRisk()).toMatchObject({sessions: 1, keptDays: 10})
  writeSettings('settings.local.json', '{"cleanupPeriodDays": 90}')
  expect(await findRisk()).toBeNull()
})

test.each([
  ['{"cleanupPeriodDays": 0}', 1],
  ['{"cleanupPeriodDays": 99999999999999999999}', undefined],
  ['{"cleanupPeriodDays": "7"}', undefined],
  ['{"cleanupPeriodDays": -1}', undefined],
  ['{"cleanupPeriodDays": ', undefined],
  ['\ufeff{"cleanupPeriodDays": 3}', 1],
])('with the settings %j, %s sessions of today are at risk', async (settings, count) => {
  addSession('a', 0)
  writeSettings('settings.json', settings)
  expect((await findRisk())?.sessions).toBe(count)
})

test('each configuration folder has its own setting', async () => {
  addSession('a', 5)
  addSession('b', 5, '.config/claude')
  writeSettings('settings.json', '{"cleanupPeriodDays": 7}', '.config/claude')
  expect((await findRisk())?.sessionIds).toEqual(['b'])
})

test('archived sessions are not at risk until they are written again', async () => {
  const path = addSession('a', 25)
  await archiveSessions({dataDir, sessions: (await read()).sessions})
  expect(await findRisk()).toBeNull()
  writeFileSync(path, `${ROW}${ROW}`)
  touch(path, 24)
  expect(await findRisk()).toMatchObject({sessions: 1})
})

test('sessions that will be deleted at the next start are at risk too', async () => {
  addSession('a', 300)
  const risk = await findRisk()
  expect(risk?.files[0]?.deletedAt).toBeLessThan(NOW)
})

const ROW = '{"type":"user","message":{"role":"user","content":"Hello"}}\n\n'

function addSession(id: string, ageDays: number, folder = '.claude'): string {
  const path = join(home, folder, 'projects', 'p', `${id}.jsonl`)
  mkdirSync(join(path, '..'), {recursive: true})
  writeFileSync(path, ROW)
  touch(path, ageDays)
  return path
}

function touch(path: string, ageDays: number): void {
  const seconds = (NOW - ageDays * DAY_MS) / 1000
  utimesSync(path, seconds, seconds)
}

function writeSettings(name: string, text: string, folder = '.claude'): void {
  writeFileSync(join(home, folder, name), text)
}

function read(): Promise<History> {
  return readHistory({dataDir, machine: {home, env: {}}, formats: [claudeTranscripts]})
}

async function findRisk() {
  const {sessions} = await read()
  return findAtRisk({dataDir, sessions, now: NOW})
}
