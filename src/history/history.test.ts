import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {claudeTranscripts} from '../agents/claude/transcript.ts'
import {transcriptFormats} from '../agents/transcripts.ts'
import {hashFolder} from '../../test/support/hash-folder.ts'
import {discoverTranscripts} from './discover.ts'
import {historyFile, readHistory, type History} from './history.ts'
import {sumRequests} from './sessions.ts'

let home: string
let dataDir: string
let project: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vitrine-history-'))
  dataDir = join(home, 'data')
  project = join(home, '.claude', 'projects', '-home-dev')
  mkdirSync(project, {recursive: true})
})
afterEach(() => rmSync(home, {recursive: true, force: true}))

let number = 0

/** A prompt and an answer with 10 tokens of output, as lines. */
function createTurn(text = 'Hello', cwd = '/home/dev'): string {
  number++
  const timestamp = new Date(Date.UTC(2026, 10, 16, 12, 0, number)).toISOString()
  const common = {timestamp, cwd, version: '2.1.325'}
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [{type: 'text', text}],
    stop_reason: 'end_turn',
    usage: {input_tokens: 1, output_tokens: 10},
  }
  const rows = [
    {type: 'user', message: {role: 'user', content: text}, ...common},
    {type: 'assistant', message, requestId: `req_${number}`, ...common},
  ]
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function pathOf(id = 'one'): string {
  return join(project, `${id}.jsonl`)
}

async function read() {
  const history = await readHistory({dataDir, machine: {home, env: {}}, threads: 1})
  const outputs = history.sessions.map(({sessionId, requests}) => [
    sessionId,
    sumRequests(requests).output,
  ])
  return {...history, outputs: Object.fromEntries(outputs) as Record<string, number>}
}

function describeSessions({sessions}: History) {
  return sessions.map((session) => ({...session, transcripts: []}))
}

describe('a transcript', () => {
  test('is read on from where reading stopped when it grows', async () => {
    writeFileSync(pathOf(), createTurn())
    expect((await read()).outputs).toEqual({one: 10})
    // The complete lines are not read again.
    const row = createTurn()
    appendFileSync(pathOf(), row.slice(0, 200))
    expect((await read()).outputs).toEqual({one: 10})
    appendFileSync(pathOf(), row.slice(200))
    expect((await read()).outputs).toEqual({one: 20})
    expect((await read()).outputs).toEqual({one: 20})
  })

  test('counts with a last line that has no newline', async () => {
    writeFileSync(pathOf(), createTurn().trimEnd())
    expect((await read()).outputs).toEqual({one: 10})
    appendFileSync(pathOf(), `\n${createTurn()}`)
    expect((await read()).outputs).toEqual({one: 20})
  })

  test('is read from its start when it was truncated', async () => {
    writeFileSync(pathOf(), createTurn() + createTurn())
    await read()
    writeFileSync(pathOf(), createTurn())
    expect((await read()).outputs).toEqual({one: 10})
  })

  test('is read from its start when it was written again with more', async () => {
    writeFileSync(pathOf(), createTurn('Old'))
    await read()
    writeFileSync(pathOf(), createTurn('Another') + createTurn('New') + createTurn('Newer'))
    const {outputs, sessions} = await read()
    expect(outputs).toEqual({one: 30})
    expect(sessions[0]?.prompt).toBe('Another')
  })

  test('is read from its start when another file has taken its place', async () => {
    writeFileSync(pathOf(), createTurn('Old'))
    await read()
    writeFileSync(`${pathOf()}.new`, createTurn('Old') + createTurn('New'))
    renameSync(`${pathOf()}.new`, pathOf())
    expect((await read()).outputs).toEqual({one: 20})
  })

  test('is found under its new name, and forgotten when it is deleted', async () => {
    writeFileSync(pathOf(), createTurn())
    await read()
    renameSync(pathOf(), pathOf('two'))
    expect((await read()).outputs).toEqual({two: 10})
    unlinkSync(pathOf('two'))
    expect((await read()).outputs).toEqual({})
  })

  test('counts once for each request, also with spaces between its values', async () => {
    const spaced = createTurn()
      .split('\n')
      .map((line) =>
        line === '' ? '' : JSON.stringify(JSON.parse(line), null, 1).replaceAll('\n', ' '),
      )
      .join('\n')
    const row = createTurn()
    writeFileSync(pathOf(), spaced + row + row)
    expect((await read()).outputs).toEqual({one: 20})
  })

  test('can have 2 GB and a gap', async () => {
    const file = openSync(pathOf(), 'w')
    writeSync(file, createTurn())
    writeSync(file, `\n${createTurn()}`, 2 * 1024 ** 3)
    closeSync(file)
    expect((await read()).outputs).toEqual({one: 20})
  })
})

describe('the stored facts', () => {
  test('are used instead of the files', async () => {
    writeFileSync(pathOf(), createTurn())
    const first = await read()
    expect(existsSync(historyFile(dataDir))).toBe(true)
    const before = hashFolder(dataDir)
    const second = await read()
    expect(describeSessions(second)).toEqual(describeSessions(first))
    expect(hashFolder(dataDir)).toEqual(before)
  })

  test.each(['damaged '.repeat(100), '', 'SQLite format 3\0'.repeat(300)])(
    'are rebuilt when the file is damaged',
    async (content) => {
      writeFileSync(pathOf(), createTurn())
      await read()
      writeFileSync(historyFile(dataDir), content)
      expect(await read()).toMatchObject({outputs: {one: 10}, problems: []})
      expect((await read()).outputs).toEqual({one: 10})
      truncateSync(historyFile(dataDir), 100)
      expect((await read()).outputs).toEqual({one: 10})
    },
  )

  test('are not written when there is nothing to store', async () => {
    expect(await read()).toMatchObject({entries: [], problems: []})
    expect(existsSync(dataDir)).toBe(false)
  })

  test('can be missing when the data folder cannot be written', async () => {
    writeFileSync(pathOf(), createTurn())
    writeFileSync(dataDir, 'a file')
    const {outputs, problems} = await read()
    expect(outputs).toEqual({one: 10})
    expect(problems.some(({path}) => path === historyFile(dataDir))).toBe(true)
  })
})

describe('folders', () => {
  test('are missing in a home without agents', async () => {
    rmSync(join(home, '.claude'), {recursive: true})
    const {entries, folders, problems} = await read()
    expect([entries, problems]).toEqual([[], []])
    expect(folders.length).toBeGreaterThanOrEqual(transcriptFormats.length)
    expect(folders.every(({state}) => state === 'missing')).toBe(true)
  })

  test('with loops of symbolic links are read once', async () => {
    writeFileSync(pathOf(), createTurn())
    symlinkSync('..', join(project, 'up'))
    symlinkSync('.', join(project, 'same'))
    symlinkSync(join(home, '.claude', 'projects'), join(project, 'root'))
    symlinkSync('loop', join(project, 'loop'))
    symlinkSync('loop.jsonl', join(project, 'loop.jsonl'))
    expect((await read()).outputs).toEqual({one: 10})
  })

  test('count once when they are links to the same folder', async () => {
    writeFileSync(pathOf(), createTurn())
    mkdirSync(join(home, '.config'))
    symlinkSync(join(home, '.claude'), join(home, '.config', 'claude'))
    const {transcripts} = discoverTranscripts([claudeTranscripts], {home, env: {}})
    expect(transcripts.length).toBe(1)
    expect((await read()).outputs).toEqual({one: 10})
  })

  test.skipIf(process.getuid?.() === 0)(
    'are reported when they cannot be read, as are files, and others are read',
    async () => {
      writeFileSync(pathOf(), createTurn())
      writeFileSync(pathOf('two'), createTurn())
      const hidden = join(home, '.claude', 'projects', 'hidden')
      mkdirSync(hidden)
      chmodSync(pathOf('two'), 0)
      chmodSync(hidden, 0)
      const {outputs, problems} = await read()
      chmodSync(hidden, 0o700)
      expect(outputs).toEqual({one: 10})
      expect(problems).toEqual([
        {path: hidden, reason: 'permission denied'},
        {path: pathOf('two'), reason: 'permission denied'},
      ])
    },
  )

  test('are skipped when they have the names of transcripts', async () => {
    mkdirSync(pathOf('folder'))
    writeFileSync(pathOf(), createTurn())
    expect((await read()).outputs).toEqual({one: 10})
  })

  test('are not changed', async () => {
    writeFileSync(pathOf(), createTurn())
    const before = hashFolder(join(home, '.claude'))
    await read()
    await read()
    expect(hashFolder(join(home, '.claude'))).toEqual(before)
  })
})
