import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, relative} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {digestOf, hashFolder, listFiles} from '../../../test/support/hash-folder.ts'
import {createHome, removeHome} from '../../../test/support/transcripts.ts'
import {transcriptFormats} from '../../agents/transcripts.ts'
import {readHistory, type History} from '../history.ts'
import {openSessionEvents} from '../session-events.ts'
import {sumRequests} from '../sessions.ts'
import {archiveSessions, type ArchiveResult} from './archive-sessions.ts'
import {openArchive} from './archive.ts'
import {archiveFolder, readManifest} from './manifest.ts'

let home = ''
let dataDir = ''

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
})
afterEach(() => {
  removeHome(home)
  rmSync(dataDir, {recursive: true, force: true})
})

describe.each(transcriptFormats.map(({agent}) => agent))('sessions of %s', (agent) => {
  test('are restored byte for byte, with their times, and the originals stay as they are', async () => {
    home = createHome(agent)
    const before = hashFolder(home)
    const {sessions} = await read()
    await archive()
    expect(hashFolder(home)).toEqual(before)

    const archived = openArchive(dataDir)
    const files = archived.list().flatMap((session) => session.files)
    expect(archived.verify()).toEqual([])
    expect(archived.list()).toHaveLength(sessions.length)
    const originals = files.filter(({storedSession}) => storedSession === undefined)
    for (const {key} of originals) rmSync(key)
    for (const session of archived.list()) archived.restore(session)
    expect(hashFolder(home)).toEqual(before)
    for (const {key, mtimeMs} of originals) expect(statSync(key).mtimeMs).toBeCloseTo(mtimeMs, 1)
  })

  test('stay readable with the same contents when the originals are gone', async () => {
    home = createHome(agent)
    const before = await summarize()
    await archive()
    rmSync(home, {recursive: true})
    mkdirSync(home)
    expect(await summarize()).toEqual(before)
    rmSync(join(dataDir, 'history.bin'), {force: true})
    expect(await summarize()).toEqual(before)
  })
})

test('the second time only changed files are read', async () => {
  home = createHome('claude')
  const first = await archive()
  expect(first.newSessions).toBe(17)
  expect(await archive()).toMatchObject({newSessions: 0, changedSessions: 0, newFiles: 0})

  const [path = ''] = transcriptsOf(await read())
  appendFileSync(path, '{"type":"mode"}\n')
  expect(await archive()).toMatchObject({newSessions: 0, changedSessions: 1, changedFiles: 1})
  const copy = openArchive(dataDir)
    .list()
    .flatMap(({files}) => files)
    .find(({key}) => key === path)
  expect(copy?.size).toBe(statSync(path).size)
})

test('a file that has grown shares what it had, and so does a copy with another first line', async () => {
  home = createHome()
  const folder = join(home, '.claude', 'projects', '-home-dev-project')
  mkdirSync(folder, {recursive: true})
  const rows = Array.from({length: 20_000}, (_, index) => row(index)).join('')
  const original = join(folder, 'a0000000-0000-4000-8000-000000000001.jsonl')
  const fork = join(folder, 'a0000000-0000-4000-8000-000000000002.jsonl')
  writeFileSync(original, rows)
  writeFileSync(fork, `{"type":"mode","mode":"default"}\n${rows}`)
  await archive()
  const {bytes, storedBytes} = openArchive(dataDir).stats()
  const chunksOf = (path: string) => readManifest(archiveFolder(dataDir)).get(path)?.chunks ?? []
  const shared = new Set(chunksOf(original).map(([hash]) => hash))
  expect(chunksOf(fork).filter(([hash]) => !shared.has(hash)).length).toBeLessThanOrEqual(2)
  expect(bytes).toBeGreaterThan(10 * storedBytes)

  const before = chunksOf(original)
  appendFileSync(original, row(20_000))
  await archive()
  const after = chunksOf(original)
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
  expect(after.length - before.length).toBeLessThanOrEqual(1)
  // The chunk that was replaced is removed.
  expect(countChunks()).toBe(new Set([...after, ...chunksOf(fork)].map(([hash]) => hash)).size)
})

test('everything in the archive is readable by its owner only', async () => {
  home = createHome('claude')
  await archive()
  for (const path of listFiles(archiveFolder(dataDir))) {
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  }
})

test('a manifest line that was cut by a kill is ignored, and the next run completes the archive', async () => {
  home = createHome('claude')
  await archive()
  const path = join(archiveFolder(dataDir), 'manifest.jsonl')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.slice(0, -300))
  const chunks = join(archiveFolder(dataDir), 'chunks')
  mkdirSync(join(chunks, '00'), {recursive: true})
  writeFileSync(join(chunks, '00', `${'0'.repeat(64)}.br.new-0123456789ab`), 'half')
  writeFileSync(join(chunks, '00', `${'0'.repeat(64)}.br`), 'orphan')

  const archived = openArchive(dataDir)
  const count = archived.stats().files
  expect(archived.verify()).toEqual([])
  expect(await archive()).toMatchObject({newFiles: 1})
  expect(archived.stats().files).toBe(count + 1)
  expect(archived.verify()).toEqual([])
  expect(existsSync(join(chunks, '00', `${'0'.repeat(64)}.br`))).toBe(false)
  expect(readdirSync(join(chunks, '00')).filter((name) => name.includes('.new-'))).toEqual([])
})

test('a missing chunk is reported, and stored again while the original exists', async () => {
  home = createHome('claude')
  await archive()
  const archived = openArchive(dataDir)
  const [first] = archived.list()
  const [hash = ''] = first?.files[0]?.chunks[0] ?? []
  const path = join(archiveFolder(dataDir), 'chunks', hash.slice(0, 2), `${hash}.br`)
  rmSync(path)
  expect(archived.verify()).toHaveLength(1)
  await archive()
  expect(archived.verify()).toEqual([])
  writeFileSync(path, 'damaged')
  expect(archived.verify()).toHaveLength(1)
})

test('an empty file does not replace a copy', async () => {
  home = createHome('claude')
  const [path = ''] = transcriptsOf(await read())
  const content = readFileSync(path)
  await archive()
  const {sessions} = await read()
  writeFileSync(path, '')
  await archiveSessions({dataDir, sessions})
  const file = readManifest(archiveFolder(dataDir)).get(path)
  expect(file?.size).toBe(content.length)
})

test.skipIf(process.getuid?.() === 0)(
  'a file that cannot be read is named, and the others are archived',
  async () => {
    home = createHome('claude')
    const {sessions} = await read()
    const [path = ''] = transcriptsOf({sessions})
    chmodSync(path, 0)
    const {problems, newSessions} = await archiveSessions({dataDir, sessions})
    expect(problems).toEqual([{path, reason: 'permission denied'}])
    expect(newSessions).toBe(16)
  },
)

test('a restored file never replaces one with other content', async () => {
  home = createHome('claude')
  await archive()
  const [path = ''] = transcriptsOf(await read())
  const archived = openArchive(dataDir)
  const session = archived.list().find(({files}) => files.some(({key}) => key === path))
  if (session === undefined) throw new Error('not archived')
  expect(archived.restore(session).map(({state}) => state)).toEqual(session.files.map(() => 'same'))
  writeFileSync(path, 'something else\n')
  expect(archived.restore(session).find((file) => file.path === path)?.state).toBe('different')
  expect(readFileSync(path, 'utf8')).toBe('something else\n')
  const to = join(dataDir, 'out')
  expect(archived.restore(session, to).every(({state}) => state === 'restored')).toBe(true)
  expect(existsSync(join(to, relative(join(home, '.claude', 'projects'), path)))).toBe(true)
})

test('a removed session is archived no more, and its chunks are gone', async () => {
  home = createHome('claude')
  await archive()
  const archived = openArchive(dataDir)
  for (const session of archived.list()) await archived.remove(session)
  expect(archived.list()).toEqual([])
  expect(countChunks()).toBe(0)
})

test('a transcript that its agent has moved is not listed twice', async () => {
  home = createHome('claude')
  await archive()
  const projects = join(home, '.claude', 'projects')
  cpSync(join(projects, '-home-dev-webshop'), join(projects, '-home-dev-shop'), {recursive: true})
  rmSync(join(projects, '-home-dev-webshop'), {recursive: true})
  const {sessions} = await read()
  expect(sessions).toHaveLength(17)
  expect(
    sessions
      .flatMap(({transcripts}) => transcripts)
      .every(({transcript}) => transcript.archive === undefined),
  ).toBe(true)
})

test('an archive run that is stopped keeps the sessions that it has archived', async () => {
  home = createHome('claude')
  const {sessions} = await read()
  const controller = new AbortController()
  const stopped = await archiveSessions({
    dataDir,
    sessions,
    signal: controller.signal,
    onProgress: ({done}) => done === 3 && controller.abort(),
  })
  expect(stopped.newFiles).toBeGreaterThanOrEqual(3)
  const archived = openArchive(dataDir)
  expect(archived.verify()).toEqual([])
  expect(archived.stats().files).toBeGreaterThanOrEqual(3)
  await archive()
  expect(archived.list()).toHaveLength(17)
})

function read(): Promise<History> {
  return readHistory({dataDir, machine: {home, env: {}}})
}

async function archive(): Promise<ArchiveResult> {
  const {sessions} = await read()
  return archiveSessions({dataDir, sessions})
}

/** The facts that lists and pages show of the sessions. */
async function summarize() {
  const {sessions} = await read()
  return sessions.map((session) => ({
    id: session.id,
    title: session.title,
    prompt: session.prompt,
    cwd: session.cwd,
    startedAt: session.startedAt,
    tokens: sumRequests(session.requests),
    events: digestOf(JSON.stringify([...openSessionEvents(session).read()])),
  }))
}

function transcriptsOf({sessions}: Pick<History, 'sessions'>): string[] {
  return sessions.flatMap(({transcripts}) =>
    transcripts.map(({transcript: {root, path}}) => `${root}/${path}`),
  )
}

function row(index: number): string {
  const text = digestOf(String(index))
  return `{"type":"user","uuid":"${text}","message":{"role":"user","content":"${text} ${text}"}}\n`
}

function countChunks(): number {
  return listFiles(join(archiveFolder(dataDir), 'chunks')).length
}
