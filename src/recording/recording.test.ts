import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {createRecording, defaultDataDir, openNewFile, recordingAt} from './recording.ts'
import {describeMissingRun, listRuns, findUnreadableRun, findRun, removeRun} from './list-runs.ts'
import {readRunRecord, writeRunRecord} from './run-record-file.ts'
import type {RunRecord} from './run-record.ts'
import {clearActive, createOverlapCheck, markActive} from './active-runs.ts'
import {toProcessId} from './process-id.ts'
import {openTiming, readTiming} from './timing.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-recording-'))
})

afterEach(() => {
  rmSync(dataDir, {recursive: true, force: true})
})

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function recordOf(runId: string, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    runId,
    argv: ['claude', '-p', 'x'],
    ranArgv: ['claude', '-p', 'x'],
    cwd: '/home/dev',
    agent: 'claude',
    startedAt: 1000,
    marker: `${runId}-0`,
    supervisor: {pid: 17, startTime: '1'},
    ...changes,
  }
}

function add(runId: string, changes: Partial<RunRecord> = {}): string {
  const {dir} = createRecording(dataDir, runId)
  writeRunRecord(dir, recordOf(runId, changes))
  return dir
}

describe('the default data folder', () => {
  test.each([
    ['/data', '/data/vitrine'],
    ['relative', '/home/dev/.local/share/vitrine'],
    ['', '/home/dev/.local/share/vitrine'],
    [undefined, '/home/dev/.local/share/vitrine'],
  ])('with XDG_DATA_HOME=%s is %s', (XDG_DATA_HOME, expected) => {
    const home = process.env['HOME']
    process.env['HOME'] = '/home/dev'
    expect(defaultDataDir({XDG_DATA_HOME})).toBe(expected)
    process.env['HOME'] = home
  })
})

describe('run ids', () => {
  test('are generated short and unique', () => {
    const ids = Array.from({length: 200}, () => createRecording(dataDir).runId)
    expect(new Set(ids).size).toBe(200)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{4,}$/)
  })

  test.each(['a', 'A-b_c.9', '_', '0'.repeat(64)])('accept %s', (name) => {
    expect(createRecording(dataDir, name).runId).toBe(name)
  })

  test.each(['', '.', '..', '-a', '.a', 'a/b', 'a b', 'a\n', '\u001b[31m', 'ä', '0'.repeat(65)])(
    'reject %j',
    (name) => {
      expect(() => createRecording(dataDir, name)).toThrow(
        expect.objectContaining({code: 'bad-id'}),
      )
      expect(findRun(name, dataDir)).toBeNull()
      expect(findUnreadableRun(name, dataDir)).toBeNull()
    },
  )

  test('are rejected when they are taken', () => {
    createRecording(dataDir, 'one')
    const error = expect.objectContaining({code: 'id-taken'})
    expect(() => createRecording(dataDir, 'one')).toThrow(error)
  })
})

describe('the recording directory', () => {
  test('is private, as are the folders that are created above it', () => {
    const deep = join(dataDir, 'a', 'b')
    const {dir} = createRecording(deep, 'one')
    writeRunRecord(dir, recordOf('one'))
    const paths = [join(dataDir, 'a'), deep, join(deep, 'runs'), dir]
    expect(paths.map(modeOf)).toEqual(['700', '700', '700', '700'])
    expect(modeOf(join(dir, 'run.json'))).toBe('600')
  })

  test('does not change the mode of an existing folder above it', () => {
    chmodSync(dataDir, 0o755)
    createRecording(dataDir, 'one')
    expect(modeOf(dataDir)).toBe('755')
  })

  test.each(['file', 'file/below'])('is not created below a file: %s', (name) => {
    writeFileSync(join(dataDir, 'file'), '')
    expect(() => createRecording(join(dataDir, name))).toThrow(
      expect.objectContaining({code: 'cannot-record'}),
    )
  })

  test('never opens an existing file as a new one', () => {
    const {dir} = createRecording(dataDir, 'one')
    const {stdout} = recordingAt(dir)
    openNewFile(stdout)
    expect(() => openNewFile(stdout)).toThrow(expect.objectContaining({code: 'cannot-record'}))
  })
})

describe('run.json', () => {
  test('is read back unchanged', () => {
    const dir = add('one', {prompt: 'Fix\n\u001b[31mit', workOrder: {id: 'x', iteration: 2}})
    expect(readRunRecord(dir)).toEqual(
      recordOf('one', {prompt: 'Fix\n\u001b[31mit', workOrder: {id: 'x', iteration: 2}}),
    )
    expect(readdirSync(dir)).toEqual(['run.json'])
  })

  test('takes the run id from its folder', () => {
    expect(readRunRecord(add('one', {runId: '\u001b[31mother'}))?.runId).toBe('one')
  })

  const valid = recordOf('one')
  test.each<[string, unknown]>([
    ['no content', ''],
    ['half an object', '{"version":1,'],
    ['a list', []],
    ['only an id', {runId: 'one'}],
    ['no argv', {...valid, argv: undefined}],
    ['argv of numbers', {...valid, argv: [1]}],
    ['a start time in words', {...valid, startedAt: 'today'}],
    ['a start time out of range', {...valid, startedAt: 1e300}],
    ['a supervisor that is a path', {...valid, supervisor: {pid: 17, startTime: '/../../x'}}],
    ['an empty marker', {...valid, marker: ''}],
    ['a marker of 1 kB', {...valid, marker: 'x'.repeat(1000)}],
    ['no supervisor', {...valid, supervisor: undefined}],
    ['init as its process', {...valid, process: {pid: 1}}],
    ['its own group as its process', {...valid, process: {pid: 0}}],
    ['another group as its process', {...valid, process: {pid: -5}}],
    ['a result without a verdict', {...valid, result: {}}],
    ['a work order id that is not a text', {...valid, workOrder: {id: {}, iteration: 1}}],
    [
      'a list as its tool count',
      {...valid, result: {verdict: '', reason: '', costUsd: 0, toolCount: []}},
    ],
    ['a cost in words', {...valid, result: {verdict: 'failed', reason: '', costUsd: 'much'}}],
  ])('is unreadable with %s', (_, content) => {
    const dir = add('one')
    writeFileSync(
      join(dir, 'run.json'),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
    expect(readRunRecord(dir)).toBeNull()
    expect(listRuns(dataDir)).toEqual([])
    expect(findRun('one', dataDir)).toBeNull()
    expect(findUnreadableRun('one', dataDir)).toEqual({dir})
  })

  test('is read when a later version wrote it', () => {
    const dir = add('one')
    writeFileSync(join(dir, 'run.json'), JSON.stringify({...valid, version: 2, more: true}))
    expect(readRunRecord(dir)).toMatchObject({runId: 'one', argv: valid.argv})
  })

  test('is read without its damaged fields', () => {
    const dir = add('one')
    const damaged = {
      ...valid,
      ranArgv: 1,
      agent: undefined,
      limits: {timeoutMs: 'long', maxTurns: 3, onStuck: 7},
      live: {at: null, why: 'dreaming', detail: '', since: {}, until: 'late', costUsd: null},
      sizes: {stdout: 5, stderr: 'x', timing: -1},
    }
    writeFileSync(join(dir, 'run.json'), JSON.stringify(damaged))
    expect(readRunRecord(dir)).toMatchObject({
      ranArgv: valid.argv,
      agent: null,
      limits: {maxTurns: 3},
      live: {at: 1000, why: 'starting', since: 1000, isStuck: false, isEstimate: false},
      sizes: {stdout: 5, stderr: 0},
    })
    expect(readRunRecord(dir)?.limits).toEqual({maxTurns: 3})
  })

  test.each([1e19, 1e21, 1e300, -1e300, -5])('limits a duration and times of %d', (number) => {
    const dir = add('one')
    const result = {verdict: 'succeeded', reason: 'ok', costUsd: 0}
    const poisoned = {...result, durationMs: number, startedAt: number * 1e16, turns: number}
    const record = {...valid, endedAt: 5000, result: poisoned}
    writeFileSync(join(dir, 'run.json'), JSON.stringify(record))
    expect(readRunRecord(dir)?.result).toMatchObject({durationMs: 4000, turns: 0})
    expect(Math.abs(readRunRecord(dir)?.result?.startedAt ?? NaN)).toBeLessThan(8.65e15)
  })

  test('limits every text, so that a list of records stays small', () => {
    const dir = add('one')
    const long = 'x'.repeat(400_000)
    const record = {
      ...valid,
      argv: ['claude', long, ...Array.from({length: 100_000}, () => '')],
      ranArgv: [long],
      cwd: long,
      agent: long,
      agentVersion: long,
      prompt: long,
      host: long,
      extra: long,
      workOrder: {id: long, iteration: 1, extra: long},
      supervisor: {pid: 17, startTime: '1', extra: long},
      limits: {[long]: 1, maxTurns: 3},
      live: {at: 1, why: 'thinking', detail: long, since: 1, costUsd: null, extra: long},
      sizes: {stdout: 5, [long]: 1},
      result: {
        verdict: long,
        reason: long,
        evidence: Array.from({length: 1000}, () => long.slice(0, 5000)),
        costUsd: 0,
        agent: long,
        runId: long,
        lastSeen: long,
        signal: long,
        ended: {signal: long, afterMs: 1},
        extra: long,
      },
    }
    writeFileSync(join(dir, 'run.json'), JSON.stringify(record))
    const read = readRunRecord(dir)
    expect(JSON.stringify(read).length).toBeLessThan(600_000)
    expect(read).toMatchObject({limits: {maxTurns: 3}, result: {verdict: 'failed'}})
    expect(read?.argv.at(-1)).toBe('…')
  })

  test('is not loaded when it is larger than 16 MiB', () => {
    const dir = add('one')
    writeFileSync(join(dir, 'run.json'), JSON.stringify({...valid, prompt: 'x'.repeat(17_000_000)}))
    expect(readRunRecord(dir)).toBeNull()
  })

  test('shows a verdict of a later version as a failure, with the name of that verdict', () => {
    const dir = add('one')
    const result = {verdict: 'paused', reason: 'for the night', costUsd: 1, exitCode: 'x'}
    const later = {...valid, version: 2, endedAt: 5000, result}
    writeFileSync(join(dir, 'run.json'), JSON.stringify(later))
    expect(readRunRecord(dir)?.result).toMatchObject({
      verdict: 'failed',
      reason: 'unknown verdict paused: for the night',
      evidence: ['recorded by a later version of Vitrine: some of it cannot be shown'],
      durationMs: 4000,
      exitCode: null,
      signal: null,
      tokens: null,
      turns: 0,
    })
  })
})

describe('stored runs', () => {
  beforeEach(() => {
    add('abcd', {startedAt: 1})
    add('abff', {startedAt: 3})
    add('ab', {startedAt: 2})
  })

  test.each([
    ['abcd', 'abcd'],
    ['abc', 'abcd'],
    ['ab', 'ab'],
    ['a', undefined],
    ['abcde', undefined],
    ['', undefined],
    ['..', undefined],
    ['../runs/abcd', undefined],
  ])('findRun(%j) returns %s', (id, expected) => {
    expect(findRun(id, dataDir)?.record.runId).toBe(expected)
  })

  test.each([
    ['x', 'run x does not exist. List runs with: vitrine runs'],
    ['', 'run  does not exist. List runs with: vitrine runs'],
    ['a', 'run id a is ambiguous: it matches ab, abcd, abff. Give more characters of the id'],
  ])('describeMissingRun(%j) explains why no run was found', (id, expected) => {
    expect(describeMissingRun(id, dataDir)).toBe(expected)
  })

  test('are listed newest first', () => {
    expect(listRuns(dataDir).map(({record}) => record.runId)).toEqual(['abff', 'ab', 'abcd'])
    expect(listRuns(join(dataDir, 'nowhere'))).toEqual([])
  })

  test('are removed one by one', () => {
    const run = findRun('ab', dataDir)
    if (run === null) throw new Error('no run')
    removeRun(run)
    expect(existsSync(run.dir)).toBe(false)
    expect(listRuns(dataDir)).toHaveLength(2)
  })
})

describe('times', () => {
  test('are read as they were written', () => {
    const path = join(dataDir, 'timing.ndjson')
    const log = openTiming(path, () => {})
    log.add('out', 10)
    log.flush()
    log.add('err', 5)
    log.add('in', 7)
    log.close()
    log.add('out', 20)
    log.flush()
    const again = openTiming(path, () => {})
    again.add('out', 30)
    again.close()
    expect(readTiming(path).map(({kind, end}) => [kind, end])).toEqual([
      ['out', 10],
      ['err', 5],
      ['in', 7],
      ['out', 30],
    ])
  })

  test.each([
    '',
    'garbage',
    '[1,"out",',
    '[1,"out",0]',
    '[-1,"out",5]',
    '[1,"no",5]',
    '[1,"out",5',
  ])('are read without the damaged line %j', (line) => {
    const path = join(dataDir, 'timing.ndjson')
    writeFileSync(path, `[1,"out",3]\n${line}\n[2,"out",9]\n`)
    expect(readTiming(path)).toEqual([
      {at: 1, kind: 'out', end: 3},
      {at: 2, kind: 'out', end: 9},
    ])
  })

  test('report write errors without throwing', () => {
    const errors: unknown[] = []
    const log = openTiming(join(dataDir, 'no', 'folder'), (error) => errors.push(error))
    log.add('out', 1)
    log.close()
    expect(errors).toHaveLength(1)
    expect(readTiming(join(dataDir, 'no', 'folder'))).toEqual([])
  })
})

describe('the overlap check', () => {
  const processes = [toProcessId(process.pid)]
  const dirOf = (runId: string) => join(dataDir, 'runs', runId)
  const hasOverlap = (cwd: string) => createOverlapCheck(dirOf('own'), cwd)()

  test.each([
    ['/p', '/p', true],
    ['/p/below', '/p', true],
    ['/p', '/p/below', true],
    ['/', '/p', true],
    ['/other', '/p', false],
    ['/pp', '/p', false],
  ])('compares the folders of active runs: %s and %s', (other, own, is) => {
    markActive(dirOf('other'), {cwd: other, processes})
    markActive(dirOf('own'), {cwd: own, processes})
    expect(hasOverlap(own)).toBe(is)
  })

  test('ignores its own run and runs that have ended or were killed', () => {
    markActive(dirOf('own'), {cwd: '/p', processes})
    markActive(dirOf('ended'), {cwd: '/p', processes})
    clearActive(dirOf('ended'))
    markActive(dirOf('killed'), {cwd: '/p', processes: [{pid: 2 ** 30, startTime: '1'}]})
    expect(hasOverlap('/p')).toBe(false)
    expect(readdirSync(join(dataDir, 'active'))).toEqual(['own'])
  })

  test('runs once for a burst of changes', () => {
    let clock = 0
    const check = createOverlapCheck(dirOf('own'), '/p', () => clock)
    expect(check()).toBe(false)
    markActive(dirOf('other'), {cwd: '/p', processes})
    expect(check()).toBe(false)
    clock = 1000
    expect(check()).toBe(true)
  })
})
