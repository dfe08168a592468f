import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createHome, removeHome} from '../../../test/support/transcripts.ts'
import {claudeTranscripts} from '../../agents/claude/transcript.ts'
import {readHistory} from '../history.ts'
import {createArchiver, type ArchiverOptions} from './archiver.ts'

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

test('archives when it is started, and reports its progress', async () => {
  const archiver = create({isEnabled: false})
  const {sessions} = await readSessions()
  expect(archiver.state(sessions)).toMatchObject({
    isEnabled: false,
    progress: null,
    archived: {sessions: 0, bytes: 0},
  })
  archiver.start()
  archiver.start()
  await vi.waitFor(() => expect(archiver.state(sessions).archived.sessions).toBe(17))
  await vi.waitFor(() => expect(archiver.state(sessions).progress).toBeNull())
  archiver.close()
})

test('archives again and again when it is enabled', async () => {
  let count = 0
  const archiver = create({
    isEnabled: true,
    intervalMs: 10,
    readSessions: async () => {
      count++
      return (await readSessions()).sessions
    },
  })
  await vi.waitFor(() => expect(count).toBeGreaterThan(2))
  archiver.close()
  expect(archiver.state([]).archived.sessions).toBe(17)
})

test('reports an error and can be started again', async () => {
  const errors: unknown[] = []
  const archiver = create({
    isEnabled: false,
    readSessions: () => Promise.reject(new Error('cannot read')),
    onError: (error) => errors.push(error),
  })
  archiver.start()
  await vi.waitFor(() => expect(errors).toHaveLength(1))
  await vi.waitFor(() => {
    archiver.start()
    expect(errors).toHaveLength(2)
  })
  archiver.close()
})

function create(options: Partial<ArchiverOptions> & {isEnabled: boolean}) {
  return createArchiver({
    dataDir,
    readSessions: async () => (await readSessions()).sessions,
    onError: (error) => {
      throw error
    },
    ...options,
  })
}

function readSessions() {
  return readHistory({dataDir, machine: {home, env: {}}, formats: [claudeTranscripts]})
}
