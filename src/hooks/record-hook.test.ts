import {spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {recordHook} from './record-hook.ts'
import {refreshSession} from './refresh.ts'
import {toProcessId} from '../recording/process-id.ts'
import {listRuns} from '../recording/list-runs.ts'
import {readRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {supervisionOf} from '../recording/supervision.ts'
import {readTiming} from '../recording/timing.ts'

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
/** A pid that is not in use. */
const GONE = {pid: 2 ** 30, startTime: '1'}

async function record(
  name: string,
  fields: Record<string, unknown> = {},
  process = toProcessId(globalThis.process.pid),
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
  test('is recorded with a line and a time for each payload', async () => {
    await record('SessionStart', {source: 'startup'})
    await record('UserPromptSubmit', {prompt: 'Fix it'})
    const {runId, dir} = await record('Stop', {last_assistant_message: 'Done.'})
    expect(dir).toBe(join(dataDir, 'runs', runId))
    const lines = readFileSync(join(dir, 'stdout'), 'utf8').split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toBe(
      `{"session_id":"${SESSION}","cwd":"/p","hook_event_name":"UserPromptSubmit","prompt":"Fix it"}`,
    )
    const chunks = readTiming(join(dir, 'timing.ndjson'))
    expect(chunks.map(({at, kind}) => [at, kind])).toEqual([
      [1000, 'out'],
      [1001, 'out'],
      [1002, 'out'],
    ])
    expect(chunks.at(-1)?.end).toBe(readFileSync(join(dir, 'stdout')).length)
    expect(recordOf({dir})).toMatchObject({
      version: 1,
      argv: ['claude'],
      agent: 'claude-hooks',
      cwd: '/p',
      prompt: 'Fix it',
      startedAt: 1000,
      live: {why: 'idle'},
    })
    expect(supervisionOf(recordOf({dir}))).toBe('supervised')
  })

  test('is idle after its turn, also when its last text arrives later', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    const late = await record('MessageDisplay', {delta: 'Done.', index: 0, final: true})
    expect(recordOf(late)).toMatchObject({live: {why: 'idle', since: 1001, at: 1002}})
    expect(recordOf(await record('UserPromptSubmit', {prompt: 'y'}))).toMatchObject({
      live: {why: 'thinking'},
    })
  })

  test('keeps its first prompt', async () => {
    await record('UserPromptSubmit', {prompt: 'one'})
    expect(recordOf(await record('UserPromptSubmit', {prompt: 'two'})).prompt).toBe('one')
  })

  test('succeeds when it ends after a completed turn', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    expect(recordOf(await record('SessionEnd', {reason: 'clear'}))).toMatchObject({
      endedAt: 1002,
      result: {
        verdict: 'succeeded',
        reason: 'Last turn completed without errors; session ended: clear',
        durationMs: 2,
        turns: 1,
        lines: 3,
        evidence: [],
      },
    })
  })

  test('does not succeed when it ends within a turn, and has no live state', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('Stop', {last_assistant_message: 'Done.'})
    await record('UserPromptSubmit', {prompt: 'y'})
    await record('PreToolUse', {tool_name: 'Bash', tool_input: {command: 'ls'}, tool_use_id: 't'})
    const run = recordOf(await record('SessionEnd', {reason: 'other'}))
    expect(run.result).toMatchObject({verdict: 'truncated', lastSeen: 'Bash: ls'})
    expect(run.live).toBe(undefined)
  })

  test('gets a new recording when it restarts after its end', async () => {
    await record('SessionStart')
    await record('SessionEnd', {reason: 'other'})
    await record('SessionStart', {source: 'resume'})
    await record('SessionEnd')
    await record('UserPromptSubmit', {prompt: 'x'})
    expect(listRuns(dataDir)).toHaveLength(3)
  })

  test('does not reveal its session id in the run id or the marker, and gets a new marker each time', async () => {
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

  test('gets a new recording when its recording was removed', async () => {
    const first = await record('SessionStart')
    rmSync(first.dir, {recursive: true})
    const second = await record('Stop')
    expect(second.dir).not.toBe(first.dir)
    expect(await record('Stop')).toEqual(second)
  })

  test('keeps late payloads, but ends once', async () => {
    await record('UserPromptSubmit', {prompt: 'x'})
    await record('SessionEnd', {reason: 'other'})
    const late = await record('Stop', {last_assistant_message: 'Done.'})
    const {result, sizes} = recordOf(late)
    expect(result).toMatchObject({verdict: 'truncated', lines: 2})
    expect(readFileSync(join(late.dir, 'stdout')).length).toBeGreaterThan(sizes?.stdout ?? 0)
    // A replay shows the same output as the live run.
    expect(readTiming(join(late.dir, 'timing.ndjson')).at(-1)?.end).toBe(sizes?.stdout)
  })

  test('continues when its process was killed and another one resumes it', async () => {
    const first = await record('UserPromptSubmit', {prompt: 'x'}, GONE)
    expect(supervisionOf(recordOf(first))).toBe('unknown')
    const again = await record('SessionStart', {source: 'resume'})
    expect(again).toEqual(first)
    expect(supervisionOf(recordOf(again))).toBe('supervised')
  })

  test.each(['../../x', '-rf', '.', 'é'])(
    'stays in its directory for any session id: %s',
    async (session_id) => {
      const {runId, dir} = await record('SessionStart', {session_id})
      expect(dir).toBe(join(dataDir, 'runs', runId))
      expect(await record('Stop', {session_id})).toEqual({runId, dir})
      expect(readdirSync(dataDir).toSorted()).toEqual(['active', 'runs', 'sessions'])
    },
  )

  test('leaves no lock', async () => {
    const {runId} = await record('SessionStart')
    expect(readdirSync(join(dataDir, 'runs'))).toEqual([runId])
  })

  test('does not wait for the lock of a process that has ended', async () => {
    const hash = createHash('sha256').update(SESSION).digest('hex').slice(0, 16)
    const lock = join(dataDir, 'runs', `.hooks-${hash}`)
    const {dir} = await record('SessionStart')
    writeFileSync(lock, JSON.stringify(GONE))
    await record('Stop')
    expect(readFileSync(join(dir, 'stdout'), 'utf8').split('\n')).toHaveLength(3)
    expect(existsSync(lock)).toBe(false)
  })

  test('starts a new line after a truncated one', async () => {
    const {dir} = await record('SessionStart')
    appendFileSync(join(dir, 'stdout'), '{"half')
    await record('Stop')
    const lines = readFileSync(join(dir, 'stdout'), 'utf8').split('\n')
    expect(lines[1]).toBe('{"half')
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({hook_event_name: 'Stop'})
  })
})

describe('a session with a transcript', () => {
  const bash = {tool_name: 'Bash', tool_input: {command: 'sleep 5'}}
  const call = {...bash, tool_use_id: 't'}
  const answer = {type: 'assistant', version: '2.1.325', message: {content: 'Hi.'}}
  const refused = {
    type: 'user',
    toolDenialKind: 'user-rejected',
    message: {content: [{type: 'tool_result', tool_use_id: 't', is_error: true, content: 'No.'}]},
  }
  const interrupted = {
    type: 'user',
    message: {content: [{type: 'text', text: '[Request interrupted by user for tool use]'}]},
  }
  let transcript_path: string

  beforeEach(() => {
    transcript_path = join(dataDir, 'transcript.jsonl')
  })

  const write = (...rows: object[]): void => {
    appendFileSync(transcript_path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  const hook = (name: string, fields: Record<string, unknown> = {}) =>
    record(name, {transcript_path, ...fields})
  const linesOf = ({dir}: {dir: string}): unknown[] =>
    readFileSync(join(dir, 'stdout'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const {hook_event_name, type, vitrine} = JSON.parse(line) as Record<string, unknown>
        return hook_event_name ?? type ?? vitrine
      })
  const openDialog = async () => {
    await hook('SessionStart', {source: 'startup'})
    await hook('UserPromptSubmit', {prompt: 'x'})
    await hook('PreToolUse', call)
    return hook('PermissionRequest', bash)
  }

  test('contains the rows of the conversation between its payloads, in the order of writing', async () => {
    await hook('SessionStart', {source: 'startup'})
    write({type: 'api-request'}, {type: 'user', message: {content: 'x'}}, {type: 'mode'}, answer)
    const run = await hook('Stop')
    expect(linesOf(run)).toEqual(['SessionStart', 'user', 'assistant', 'Stop'])
    expect(recordOf(run)).toMatchObject({agentVersion: '2.1.325'})
    const chunks = readTiming(join(run.dir, 'timing.ndjson'))
    expect(chunks.at(-1)?.end).toBe(readFileSync(join(run.dir, 'stdout')).length)
  })

  test('counts the cost of each request once', async () => {
    const usage = (output_tokens: number) => ({input_tokens: 1000, output_tokens})
    const row = (id: string, output: number) => ({
      type: 'assistant',
      requestId: id,
      message: {id, model: 'claude-opus-5-5', usage: usage(output), content: []},
    })
    await hook('SessionStart', {source: 'startup'})
    write(row('a', 1), row('a', 100))
    await hook('PreToolUse', call)
    write(row('a', 100), row('b', 50))
    const {live} = recordOf(await hook('Stop'))
    expect(live?.costUsd).toBeCloseTo((2000 * 4 + 150 * 20) / 1e6, 12)
    expect(live?.isEstimate).toBe(true)
  })

  test('contains each row once, as soon as it is complete', async () => {
    await hook('SessionStart', {source: 'startup'})
    write(answer)
    appendFileSync(transcript_path, JSON.stringify(answer))
    await hook('PostToolUse', call)
    await hook('PostToolUse', call)
    appendFileSync(transcript_path, '\n')
    const run = await hook('Stop')
    const rows = linesOf(run).filter((name) => name === 'assistant')
    expect(rows).toHaveLength(2)
  })

  test('contains only new rows after it is resumed', async () => {
    write(answer, answer)
    await hook('SessionStart', {source: 'resume'})
    write(answer)
    expect(linesOf(await hook('Stop'))).toEqual(['SessionStart', 'assistant', 'Stop'])
  })

  test('continues when the transcript is missing, damaged or truncated', async () => {
    await hook('SessionStart', {source: 'startup'})
    appendFileSync(transcript_path, 'damaged\n{"type":"user"\n[]\n')
    write(answer)
    await hook('PreToolUse', call)
    truncateSync(transcript_path, 10)
    await hook('PostToolUse', call)
    appendFileSync(transcript_path, '\n')
    write(answer)
    const run = await hook('Stop')
    expect(linesOf(run).join(' ')).toBe(
      'SessionStart assistant PreToolUse PostToolUse assistant Stop',
    )
  })

  test('does not read the path of a transcript from another machine', async () => {
    write(answer)
    const payload = {session_id: SESSION, hook_event_name: 'Stop', transcript_path}
    const run = await recordHook(JSON.stringify(payload), {dataDir, host: 'hooks'})
    write(answer)
    await recordHook(JSON.stringify(payload), {dataDir, host: 'hooks'})
    await refreshSession(run.dir)
    expect(linesOf(run)).toEqual(['Stop', 'Stop'])
  })

  test('contains the rows of a sub-agent when it stops', async () => {
    const agent_transcript_path = join(dataDir, 'agent.jsonl')
    await hook('SessionStart', {source: 'startup'})
    writeFileSync(agent_transcript_path, `${JSON.stringify({...answer, isSidechain: true})}\n`)
    const run = await hook('SubagentStop', {agent_id: 'a', agent_transcript_path})
    expect(linesOf(run)).toEqual(['SessionStart', 'assistant', 'SubagentStop'])
  })

  test('waits for permission while a dialog is open, also after other payloads', async () => {
    const run = await openDialog()
    const waiting = {why: 'waiting-for-permission', detail: 'Bash', since: 1003}
    expect(recordOf(run).live).toMatchObject(waiting)
    await hook('Notification', {message: 'Claude needs your permission'})
    await hook('PreToolUse', {...call, tool_use_id: 'u', tool_input: {command: 'ls'}})
    await hook('PostToolUse', {...call, tool_use_id: 'u', tool_input: {command: 'ls'}})
    expect(recordOf(run).live).toMatchObject(waiting)
    await hook('PostToolUse', call)
    expect(recordOf(run).live).toMatchObject({why: 'thinking'})
  })

  test('becomes idle when the user refuses and interrupts, which no hook reports', async () => {
    const run = await openDialog()
    write(refused, interrupted)
    await refreshSession(run.dir, () => clock++)
    expect(recordOf(run)).toMatchObject({live: {why: 'idle'}, session: {requests: []}})
    expect(linesOf(run).slice(-2)).toEqual(['user', 'user'])
  })

  test('continues thinking when the user refuses one call', async () => {
    const run = await openDialog()
    write(refused)
    await refreshSession(run.dir, () => clock++)
    expect(recordOf(run).live).toMatchObject({why: 'thinking'})
  })

  test('waits for the tool once its process exists, which no hook reports', async () => {
    const command = `echo 'ready'; read line`
    await hook('SessionStart', {source: 'startup'})
    await hook('PreToolUse', {...call, tool_input: {command}})
    const run = await hook('PermissionRequest', {...bash, tool_input: {command}})
    await refreshSession(run.dir, () => clock++)
    expect(recordOf(run).live).toMatchObject({why: 'waiting-for-permission'})
    const quoted = command.replaceAll("'", `'"'"'`)
    const child = spawn('/bin/sh', ['-c', `eval '${quoted}'`], {stdio: ['pipe', 'pipe', 'ignore']})
    try {
      await once(child.stdout, 'data')
      await refreshSession(run.dir, () => clock++)
      await refreshSession(run.dir, () => clock++)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    expect(recordOf(run).live).toMatchObject({why: 'waiting-for-tool', detail: 'Bash'})
    expect(linesOf(run).slice(-2)).toEqual(['PermissionRequest', 'process-started'])
  })
})

describe('a payload', () => {
  const head = `{"session_id":"${SESSION}","hook_event_name":"X"`
  const recorded = async (payload: string | Uint8Array): Promise<string> => {
    const {dir} = await recordHook(payload, {dataDir})
    return readFileSync(join(dir, 'stdout'), 'utf8')
  }

  test('is recorded without changes', async () => {
    const payload = `${head}, "n":12345678901234567890, "t":"\\u00e9\\n  é" }`
    expect(await recorded(`${payload}\n`)).toBe(`${payload}\n`)
  })

  test('is joined to one line and otherwise unchanged', async () => {
    expect(await recorded(`${head},\r\n  "n": 1e400,\n\n\t"t": "a  b"\n}\n`)).toBe(
      `${head},"n": 1e400,"t": "a  b"}\n`,
    )
  })

  test('can be passed as bytes', async () => {
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
    [`${head},"t":"${'x'.repeat(16 * 1024 * 1024)}"}`, 'the payload is larger than 16 MiB'],
  ])('is rejected without writing anything', async (payload, message, code = 'bad-options') => {
    await expect(recordHook(payload, {dataDir})).rejects.toThrow(
      expect.objectContaining({
        name: 'RunError',
        code,
        message: expect.stringContaining(message) as string,
      }),
    )
    expect(readdirSync(dataDir)).toEqual([])
  })
})
