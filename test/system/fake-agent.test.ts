import {execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe} from 'vitest'
import {findAgent} from '../../src/agents/find-agent.ts'
import type {AgentEvent} from '../../src/core/events/events.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {OVER, writeRecording} from '../support/recording.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {
  createPlace,
  inBatches,
  lastVerdict,
  placeTest as test,
  readLines,
  type Place,
  type VerdictLine,
} from '../support/run.ts'
import {bin, fixture, runVitrine, type VitrineResult} from '../support/vitrine.ts'

/** A recording with text and characters of more than one byte. */
const file = fixture('claude/2.1.325/fallback-model')
const claude = findAgent('claude')
const original = readFileSync(file)
const lines = original.toString('latin1').split(/(?<=\n)/)

/** Runs `vitrine fake-agent` alone and reads its output. */
function readPrinted(args: readonly string[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const options = {encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024} as const
    const child = execFile(process.execPath, [bin, 'fake-agent', ...args], options, (_, stdout) =>
      resolve(stdout),
    )
    child.stdin?.end()
  })
}

interface Outcome {
  exitCode: number | null
  verdict: VerdictLine
  /** The recorded output. */
  bytes: Buffer
  events: AgentEvent[]
}

/** Runs `vitrine fake-agent` under `vitrine run`. */
async function runIt(
  place: Place,
  id: string,
  args: readonly string[],
  limits: string[] = [],
): Promise<Outcome> {
  const options = ['--data-dir', place.dataDir, '--agent', 'claude', '--id', id, '--format', 'json']
  const command = ['--', bin, 'fake-agent', ...args]
  const ended = await place.start(['run', ...options, ...limits, ...command]).ended
  const events = readLines(ended.stdout).slice(0, -1) as AgentEvent[]
  const bytes = place.read(id, 'stdout')
  return {exitCode: ended.exitCode, verdict: lastVerdict(ended), bytes, events}
}

function typesOf(events: readonly AgentEvent[]): string[] {
  return events.map(({type}) => type)
}

describe.concurrent('under vitrine run', () => {
  let shared: Place
  let sound: Outcome

  beforeAll(async () => {
    shared = createPlace()
    sound = await runIt(shared, 'sound', [file])
  })

  afterAll(() => {
    shared.clear()
  })

  test('without a fault the recording is replayed unchanged', ({expect}) => {
    expect(sound).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(sound.bytes.equals(original)).toBe(true)
    expect(typesOf(sound.events)).toContain('turn-end')
  })

  test('split-utf8 produces the same bytes and the same events', async ({place, expect}) => {
    const split = await runIt(place, 'split-utf8', [file, '--fault', 'split-utf8'])
    expect(split).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(split.bytes.equals(original)).toBe(true)
    expect(split.events.map(withoutTime)).toEqual(sound.events.map(withoutTime))
  })

  test('cut-line removes half of the last line', async ({place, expect}) => {
    const cut = await runIt(place, 'cut-line', [file, '--fault', 'cut-line'])
    const last = lines.at(-1) ?? ''
    const kept = lines.slice(0, -1).join('') + last.slice(0, Math.floor(last.length / 2))
    expect(cut.bytes.toString('latin1')).toBe(kept)
    expect(cut).toMatchObject({
      exitCode: 1,
      verdict: {verdict: 'truncated', reason: 'the last line is incomplete', malformed: 1},
    })
    expect(cut.events.at(-1)).toMatchObject({type: 'malformed', line: lines.length})
  })

  test('huge-line makes one line longer than 1.6 MB and keeps the others', async ({
    place,
    expect,
  }) => {
    const huge = await runIt(place, 'huge-line', [file, '--fault', 'huge-line'])
    expect(huge).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(huge.bytes.equals(await readPrinted([file, '--fault', 'huge-line']))).toBe(true)
    const made = huge.bytes.toString('latin1').split(/(?<=\n)/)
    const other = made.filter((line) => !lines.includes(line))
    expect(made).toHaveLength(lines.length)
    expect(other.map((line) => line.length > 1_600_000)).toEqual([true])
    expect(typesOf(huge.events)).toEqual(typesOf(sound.events))
  })

  test('no-result removes the last turn end and exits with 0', async ({place, expect}) => {
    const without = await runIt(place, 'no-result', [file, '--fault', 'no-result'])
    expect(without).toMatchObject({exitCode: 1, verdict: {verdict: 'truncated', malformed: 0}})
    expect(place.readRun('no-result')).toMatchObject({result: {exitCode: 0}})
    expect(without.bytes.toString('latin1')).toBe(lines.slice(0, -1).join(''))
    expect(typesOf(without.events)).not.toContain('turn-end')
  })

  test('hang stops before the last turn end until it is terminated', async ({place, expect}) => {
    // Longer than its start takes on a busy machine.
    const limits = ['--silence', '3s']
    const hung = await runIt(place, 'hang', [file, '--fault', 'hang'], limits)
    expect(hung).toMatchObject({exitCode: 125, verdict: {verdict: 'stuck', malformed: 0}})
    expect(hung.bytes.toString('latin1')).toBe(lines.slice(0, -1).join(''))
    expect(typesOf(hung.events)).not.toContain('turn-end')
    await place.expectNoSurvivors()
  })

  test('garbage adds noise between the lines, which are all decoded', async ({place, expect}) => {
    const dirty = await runIt(place, 'garbage', [file, '--fault', 'garbage'])
    expect(dirty).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded'}})
    expect(dirty.bytes.equals(await readPrinted([file, '--fault', 'garbage']))).toBe(true)
    const made = dirty.bytes.toString('latin1').split(/(?<=\n)/)
    expect(made.filter((line) => lines.includes(line))).toEqual(lines)
    expect(made.length).toBeGreaterThan(lines.length)
    expect(dirty.bytes.includes(0)).toBe(true)
    expect(Buffer.from(dirty.bytes.toString('utf8')).equals(dirty.bytes)).toBe(false)
    const noise = new Set(['malformed', 'unknown'])
    expect(typesOf(dirty.events)).toContain('malformed')
    expect(typesOf(dirty.events).filter((type) => !noise.has(type))).toEqual(typesOf(sound.events))
  })

  test('exit sets the exit code and keeps the bytes, and the recording can be replayed by its id', async ({
    place,
    expect,
  }) => {
    const failed = await runIt(place, 'exit', [file, '--fault', 'exit', '3'])
    expect(failed).toMatchObject({exitCode: 1, verdict: {verdict: 'failed'}})
    expect(place.readRun('exit')).toMatchObject({result: {exitCode: 3}})
    expect(failed.bytes.equals(original)).toBe(true)
    expect(typesOf(failed.events)).toEqual(typesOf(sound.events))
    const replayed = await runVitrine(['fake-agent', '--data-dir', place.dataDir, 'exit'])
    expect(Buffer.from(replayed.stdout).equals(original)).toBe(true)
    expect(replayed.status).toBe(3)
  })

  test('several faults can be combined', async ({place, expect}) => {
    const faults = ['no-result', 'garbage', 'cut-line', 'exit=4'].flatMap((kind) => [
      '--fault',
      kind,
    ])
    const both = await runIt(place, 'several', [file, ...faults])
    expect(both.exitCode).toBe(1)
    expect(place.readRun('several')).toMatchObject({result: {exitCode: 4}})
    expect(both.bytes.equals(await readPrinted([file, ...faults]))).toBe(true)
    expect(both.bytes.at(-1)).not.toBe(10)
    expect(both.bytes.includes(0)).toBe(true)
    expect(typesOf(both.events)).not.toContain('turn-end')
  })

  test('a recording with a permission request waits for the answer, and answers the initialize request', async ({
    place,
    expect,
  }) => {
    const asks = fixture('claude/2.1.325/control-allow')
    mkdirSync(place.file('bin'), {recursive: true})
    const program = place.file('bin/claude')
    writeFileSync(program, `#!/bin/sh\nexec '${bin}' fake-agent '${asks}' -- "$@"\n`)
    chmodSync(program, 0o755)
    const options = ['--data-dir', place.dataDir, '--id', 'asks', '--format', 'json']
    const command = ['--permissions', 'allow', '--', program, '-p', 'Touch it']
    const ended = await place.start(['run', ...options, ...command]).ended
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded'})
    const greeted = readFileSync(asks, 'utf8').replace('lab-init-1', 'vitrine-initialize')
    expect(place.read('asks', 'stdout').toString()).toBe(greeted)
    expect(place.read('asks', 'stdin').toString()).toContain('"behavior":"allow"')
  })
})

describe.concurrent('a recording', () => {
  test('is replayed with its stderr in order, and ends by its signal', async ({place, expect}) => {
    const dir = place.file('killed')
    mkdirSync(dir)
    const signal = 'SIGTERM' as const
    const result = {...OVER.result, exitCode: null, signal}
    writeRecording(dir, claude, 'one\ntwo\nthree\n', [], {...OVER, endedAt: 1700, result})
    const {stderr, timing} = recordingAt(dir)
    writeFileSync(stderr, 'oops\n')
    writeFileSync(timing, '[1100,"out",4]\n[1600,"err",5]\n[1600,"out",8]\n')

    const command = '"$0" "$1" fake-agent "$2" 2>&1'
    const child = spawn('sh', ['-c', `exec ${command}`, process.execPath, bin, dir])
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    expect(await once(child, 'close')).toEqual([null, signal])
    expect(Buffer.concat(chunks).toString()).toBe('one\noops\ntwo\nthree\n')
  })

  test.for(['max', '0'])('is replayed at once with --speed %s', async (speed, {place, expect}) => {
    const dir = place.file(`late-${speed}`)
    mkdirSync(dir)
    writeRecording(dir, claude, original, [original.length], {startedAt: 0})
    writeFileSync(recordingAt(dir).timing, `[${10 ** 9},"out",${original.length}]\n`)
    expect((await readPrinted([dir, '--speed', speed])).equals(original)).toBe(true)
  })

  test('is written completely to a pipe that was full', async ({place, expect}) => {
    const large = place.file('large.jsonl')
    writeFileSync(large, Buffer.alloc(3_000_000, original))
    const child = spawn(
      'sh',
      ['-c', '"$0" "$1" fake-agent "$2" | (sleep 0.3; wc -c)'].concat(process.execPath, bin, large),
    )
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await once(child, 'close')
    expect(Buffer.concat(chunks).toString().trim()).toBe('3000000')
  })
})

describe('invalid arguments', () => {
  const known = 'split-utf8, cut-line, huge-line, no-result, hang, garbage, exit=N.'
  const ascii = fixture('claude/2.1.325/subagent')

  const mistakes = [
    [
      ['--fault', 'nope', file],
      `option --fault <kind> argument 'nope' is invalid. Expected one of ${known}`,
    ],
    [
      ['--fault', 'exit=256', file],
      `option --fault <kind> argument 'exit=256' is invalid. Expected one of ${known} The code is at most 255.`,
    ],
    [[file, '--fault', 'exit'], '--fault exit needs a code. Example: --fault exit=3'],
    [
      [file, '--fault', 'hang', '--fault', 'exit=3'],
      '--fault hang and --fault exit cannot be combined: a hanging agent has no exit code',
    ],
    [
      [ascii, '--fault', 'split-utf8'],
      `${ascii}: this recording has no character with several bytes to split`,
    ],
    [
      [file, '--speed', 'fast'],
      "option --speed <factor> argument 'fast' is invalid. Expected a number above 0, such as 2 or 0.5.",
    ],
    [['nope.jsonl'], 'nope.jsonl: no such file, directory or run. List runs with: vitrine runs'],
    [['abcd'], 'run abcd does not exist. List runs with: vitrine runs'],
    [['/'], '/: this directory is not a recording: it has no file stdout'],
  ].map(([args, sentence]) => ({
    name: (args as string[]).join(' '),
    args: args as string[],
    sentence: sentence as string,
  }))

  test('are rejected in one line', async ({expect}) => {
    const ended = new Map<string, VitrineResult>()
    await inBatches(mistakes, async ({name, args}) => {
      ended.set(name, await runVitrine(['fake-agent', ...args]))
    })
    await expectForEach(mistakes, ({name, sentence}) => {
      const stderr = `vitrine: ${sentence}\n`
      expect(ended.get(name)).toEqual({status: 2, stdout: '', stderr})
    })
  })
})

function withoutTime(event: AgentEvent): object {
  const {at: _at, until: _until, ...rest} = {until: 0, ...event}
  return rest
}
