import {createHash} from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {recordHook} from './hook-recording.ts'
import {
  identify,
  listRuns,
  readRunRecord,
  readTiming,
  whereabouts,
  type RunRecord,
} from '../recording/index.ts'

let dataDir: string
let clock: number

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-hooks-'))
  clock = 1000
})

afterEach(() => {
  rmSync(dataDir, {recursive: true, force: true})
})

const SESSION = '0123abcd-0000-4000-8000-000000000000'
/** A number that nobody has. */
const GONE = {pid: 2 ** 30, startTime: '1'}

async function record(
  name: string,
  fields: Record<string, unknown> = {},
  process = identify(globalThis.process.pid),
): Promise<{runId: string; dir: string}> {
  const payload = {session_id: SESSION, cwd: '/p', hook_event_name: name, ...fields}
  return recordHook(JSON.stringify(payload), {dataDir, now: () => clock++, process})
}

function recordOf({dir}: {dir: string}): RunRecord {
  const found = readRunRecord(dir)
  if (found === null) throw new Error('no record')
  return found
}

describe('a session', () => {
  test('is a recording with a line and a time for each payload', async () => {
    await record('SessionStart', {source: 'startup'})
    await record('UserPromptSubmit', {prompt: 'Fix it'})
    const {runId, dir} = await record('Stop', {last_assistant_message: 'Done.'})
    expect(dir).toBe(join(dataDir, 'runs', runId))
    const lines = readFileSync(join(dir, 'stdout'), 'utf8').split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toBe(
      `{"session_id":"${SESSION}","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"Fix it"}`,
    )
    const pieces = readTiming(join(dir, 'timing.ndjson'))
    expect(pieces.map(({at, kind}) => [at, kind])).toEqual([
      [1000, 'out'],
      [1001, 'out'],
      [1002, 'out'],
    ])
    expect(pieces.at(-1)?.end).toBe(readFileSync(join(dir, 'stdout')).length)
    expect(recordOf({dir})).toMatchObject({
      version: 1,
      argv: ['claude'],
      agent: 'claude-hooks',
      cwd: '/p',
      prompt: 'Fix it',
      startedAt: 1000,
      live: {why: 'lingering'},
    })
    expect(whereabouts(recordOf({dir}))).toBe('supervised')
  })

  test('waits after its turn, also when its last words come later', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    const late = await record('MessageDisplay', {delta: 'Done.', index: 0, final: true})
    expect(recordOf(late)).toMatchObject({live: {why: 'lingering', since: 1001, at: 1002}})
    expect(recordOf(await record('UserPromptSubmit', {prompt: 'y'}))).toMatchObject({
      live: {why: 'thinking'},
    })
  })

  test('has the prompt that was given first', async () => {
    await record('UserPromptSubmit', {prompt: 'one'})
    expect(recordOf(await record('UserPromptSubmit', {prompt: 'two'})).prompt).toBe('one')
  })

  test('that ends after a good turn has succeeded', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    expect(recordOf(await record('SessionEnd', {reason: 'clear'}))).toMatchObject({
      endedAt: 1002,
      result: {
        verdict: 'succeeded',
        reason: 'the last turn ended well; session ended: clear',
        durationMs: 2,
        turns: 1,
        lines: 3,
        evidence: [],
      },
    })
  })

  test('that ends in the middle of a turn has not, and nothing of it is live', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    await record('UserPromptSubmit', {prompt: 'y'})
    await record('PreToolUse', {tool_name: 'Bash', tool_input: {command: 'ls'}, tool_use_id: 't'})
    const run = recordOf(await record('SessionEnd', {reason: 'other'}))
    expect(run.result).toMatchObject({verdict: 'truncated', lastSeen: 'Bash: ls'})
    expect(run.live).toBe(undefined)
  })

  test('that begins again after its end is another recording', async () => {
    await record('SessionStart')
    await record('SessionEnd', {reason: 'other'})
    await record('SessionStart', {source: 'resume'})
    await record('SessionEnd')
    await record('UserPromptSubmit', {prompt: 'x'})
    expect(listRuns(dataDir)).toHaveLength(3)
  })

  test('keeps its session id out of the id and the marker of the run, and has a new marker each time', async () => {
    await record('SessionStart')
    await record('SessionEnd', {reason: 'other'})
    await record('SessionStart')
    const runs = listRuns(dataDir).map(({record: {runId, marker}}) => ({runId, marker}))
    expect(new Set(runs.flatMap(({runId, marker}) => [runId, marker])).size).toBe(4)
    for (const {runId, marker} of runs) {
      expect(runId).not.toBe(SESSION.slice(0, 8))
      expect(marker).toMatch(/^[0-9a-f]+-[0-9a-f]{32}$/)
    }
  })

  test('begins a recording when that of its session was removed', async () => {
    const first = await record('SessionStart')
    rmSync(first.dir, {recursive: true})
    const second = await record('Stop')
    expect(second.dir).not.toBe(first.dir)
    expect(await record('Stop')).toEqual(second)
  })

  test('keeps what comes late, but ends once', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('SessionEnd', {reason: 'other'})
    const late = await record('Stop', {last_assistant_message: 'Done.'})
    const {result, sizes} = recordOf(late)
    expect(result).toMatchObject({verdict: 'truncated', lines: 2})
    expect(readFileSync(join(late.dir, 'stdout')).length).toBeGreaterThan(sizes?.stdout ?? 0)
    // Who reads it again gets no more than those who were there.
    expect(readTiming(join(late.dir, 'timing.ndjson')).at(-1)?.end).toBe(sizes?.stdout)
  })

  test('goes on when its process was killed and another resumes it', async () => {
    const first = await record('UserPromptSubmit', {prompt: 'x'}, GONE)
    expect(whereabouts(recordOf(first))).toBe('unseen')
    const again = await record('SessionStart', {source: 'resume'})
    expect(again).toEqual(first)
    expect(whereabouts(recordOf(again))).toBe('supervised')
  })

  test.each(['../../x', '-rf', '.', 'é'])(
    'with any session id stays in its folder: %s',
    async (session_id) => {
      const {runId, dir} = await record('SessionStart', {session_id})
      expect(dir).toBe(join(dataDir, 'runs', runId))
      expect(await record('Stop', {session_id})).toEqual({runId, dir})
      expect(readdirSync(dataDir).toSorted()).toEqual(['runs', 'sessions'])
    },
  )

  test('leaves no lock', async () => {
    const {runId} = await record('SessionStart')
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([runId])
  })

  test('is not held up by the lock of one who is gone', async () => {
    const hash = createHash('sha256').update(SESSION).digest('hex').slice(0, 16)
    const lock = join(dataDir, 'runs', `.hooks-${hash}`)
    const {dir} = await record('SessionStart')
    writeFileSync(lock, JSON.stringify(GONE))
    await record('Stop')
    expect(readFileSync(join(dir, 'stdout'), 'utf8').split('\n')).toHaveLength(3)
    expect(existsSync(lock)).toBe(false)
  })

  test('goes on with a line of its own after one that was cut', async () => {
    const {dir} = await record('SessionStart')
    appendFileSync(join(dir, 'stdout'), '{"half')
    await record('Stop')
    const lines = readFileSync(join(dir, 'stdout'), 'utf8').split('\n')
    expect(lines[1]).toBe('{"half')
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({hook_event_name: 'Stop'})
  })
})

describe('a payload', () => {
  const head = `{"session_id":"${SESSION}","hook_event_name":"X"`
  const recorded = async (payload: string | Uint8Array): Promise<string> => {
    const {dir} = await recordHook(payload, {dataDir})
    return readFileSync(join(dir, 'stdout'), 'utf8')
  }

  test('is kept exactly', async () => {
    const payload = `${head}, "n":12345678901234567890, "t":"\\u00e9\\n  é" }`
    expect(await recorded(`${payload}\n`)).toBe(`${payload}\n`)
  })

  test('on several lines is put on one, and is otherwise the same', async () => {
    expect(await recorded(`${head},\r\n  "n": 1e400,\n\n\t"t": "a  b"\n}\n`)).toBe(
      `${head},"n": 1e400,"t": "a  b"}\n`,
    )
  })

  test('may be bytes', async () => {
    expect(await recorded(Buffer.from(`\ufeff${head},"t":"é"}`))).toBe(`${head},"t":"é"}\n`)
  })

  test.each([
    ['', 'the payload is empty', 'bad-json'],
    ['{"half', 'the payload is not JSON', 'bad-json'],
    ['[]', 'the payload is not a JSON object'],
    ['{"hook_event_name":"Stop"}', 'the payload has no session_id'],
    ['{"session_id":"","hook_event_name":"Stop"}', 'the payload has no session_id'],
    ['{"session_id":"s","hook_event_name":1}', 'the payload has no hook_event_name'],
    [Buffer.from(`${head},"t":"\xff"}`, 'latin1'), 'the payload is not UTF-8', 'bad-json'],
    [
      `${head},"t":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'the payload is nested deeper than 500 levels',
    ],
    [`${head},"t":"${'x'.repeat(16 * 1024 * 1024)}"}`, 'the payload is over 16 MiB'],
  ])(
    'that is none is refused, and nothing is written',
    async (payload, message, code = 'bad-options') => {
      await expect(recordHook(payload, {dataDir})).rejects.toThrow(
        expect.objectContaining({
          name: 'RunError',
          code,
          message: expect.stringContaining(message) as string,
        }),
      )
      expect(readdirSync(dataDir)).toEqual([])
    },
  )
})
