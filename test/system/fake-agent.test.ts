import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findAgent} from '../../src/agents/index.ts'
import type {AgentEvent} from '../../src/core/index.ts'
import {recordingAt} from '../../src/recording/index.ts'
import {OVER, writeRecording} from '../support/recording.ts'
import {createPlace, lastVerdict, readLines, type Place, type VerdictLine} from '../support/run.ts'
import {bin, fixture, vitrine} from '../support/vitrine.ts'

/** It says something, and has characters of more than one byte. */
const file = fixture('claude/2.1.325/fallback-model')
const claude = findAgent('claude')
const original = readFileSync(file)
const lines = original.toString('latin1').split(/(?<=\n)/)

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** What it prints when nobody looks after it. */
function printed(args: readonly string[]): Buffer {
  return spawnSync(process.execPath, [bin, 'fake-agent', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1024 * 1024 * 1024,
  }).stdout
}

interface Outcome {
  exitCode: number | null
  verdict: VerdictLine
  /** What was recorded. */
  bytes: Buffer
  events: AgentEvent[]
}

/** What `vitrine run` makes of it. */
async function runIt(id: string, args: readonly string[], limits: string[] = []): Promise<Outcome> {
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

describe('under vitrine run', () => {
  let sound: Outcome

  beforeAll(async () => {
    sound = await runIt('sound', [file])
  })

  test('nothing is wrong unless that is asked for', () => {
    expect(sound).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(sound.bytes.equals(original)).toBe(true)
    expect(typesOf(sound.events)).toContain('turn-end')
  })

  test('split-utf8: the same bytes, and the same events', async () => {
    const split = await runIt('split-utf8', [file, '--fault', 'split-utf8'])
    expect(split).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(split.bytes.equals(original)).toBe(true)
    expect(split.events.map(withoutTime)).toEqual(sound.events.map(withoutTime))
  })

  test('cut-line: half of the last line is missing', async () => {
    const cut = await runIt('cut-line', [file, '--fault', 'cut-line'])
    const last = lines.at(-1) ?? ''
    const kept = lines.slice(0, -1).join('') + last.slice(0, Math.floor(last.length / 2))
    expect(cut.bytes.toString('latin1')).toBe(kept)
    expect(cut).toMatchObject({
      exitCode: 1,
      verdict: {verdict: 'truncated', reason: 'the last line is cut off', malformed: 1},
    })
    expect(cut.events.at(-1)).toMatchObject({type: 'malformed', line: lines.length})
  })

  test('huge-line: one line is longer than 1.6 MB, and the rest as it was', async () => {
    const huge = await runIt('huge-line', [file, '--fault', 'huge-line'])
    expect(huge).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded', malformed: 0}})
    expect(huge.bytes.equals(printed([file, '--fault', 'huge-line']))).toBe(true)
    const made = huge.bytes.toString('latin1').split(/(?<=\n)/)
    const other = made.filter((line) => !lines.includes(line))
    expect(made).toHaveLength(lines.length)
    expect(other.map((line) => line.length > 1_600_000)).toEqual([true])
    expect(typesOf(huge.events)).toEqual(typesOf(sound.events))
  })

  test('no-result: the last turn end is missing, and it exits with 0', async () => {
    const without = await runIt('no-result', [file, '--fault', 'no-result'])
    expect(without).toMatchObject({exitCode: 1, verdict: {verdict: 'truncated', malformed: 0}})
    expect(place.readRun('no-result')).toMatchObject({result: {exitCode: 0}})
    expect(without.bytes.toString('latin1')).toBe(lines.slice(0, -1).join(''))
    expect(typesOf(without.events)).not.toContain('turn-end')
  })

  test('hang: it stops before the last turn end, until it is ended', async () => {
    // Longer than a busy machine takes to start it.
    const limits = ['--silence', '3s']
    const hung = await runIt('hang', [file, '--fault', 'hang'], limits)
    expect(hung).toMatchObject({exitCode: 125, verdict: {verdict: 'stuck', malformed: 0}})
    expect(hung.bytes.toString('latin1')).toBe(lines.slice(0, -1).join(''))
    expect(typesOf(hung.events)).not.toContain('turn-end')
    await place.expectNoSurvivors()
  })

  test('garbage: there is more between the lines, and all of them are understood', async () => {
    const dirty = await runIt('garbage', [file, '--fault', 'garbage'])
    expect(dirty).toMatchObject({exitCode: 0, verdict: {verdict: 'succeeded'}})
    expect(dirty.bytes.equals(printed([file, '--fault', 'garbage']))).toBe(true)
    const made = dirty.bytes.toString('latin1').split(/(?<=\n)/)
    expect(made.filter((line) => lines.includes(line))).toEqual(lines)
    expect(made.length).toBeGreaterThan(lines.length)
    expect(dirty.bytes.includes(0)).toBe(true)
    expect(Buffer.from(dirty.bytes.toString('utf8')).equals(dirty.bytes)).toBe(false)
    const noise = new Set(['malformed', 'unknown'])
    expect(typesOf(dirty.events)).toContain('malformed')
    expect(typesOf(dirty.events).filter((type) => !noise.has(type))).toEqual(typesOf(sound.events))
  })

  test('exit: another exit code, after the same bytes', async () => {
    const failed = await runIt('exit', [file, '--fault', 'exit', '3'])
    expect(failed).toMatchObject({exitCode: 1, verdict: {verdict: 'failed'}})
    expect(place.readRun('exit')).toMatchObject({result: {exitCode: 3}})
    expect(failed.bytes.equals(original)).toBe(true)
    expect(typesOf(failed.events)).toEqual(typesOf(sound.events))
  })

  test('several at once', async () => {
    const faults = ['no-result', 'garbage', 'cut-line', 'exit=4'].flatMap((kind) => [
      '--fault',
      kind,
    ])
    const both = await runIt('several', [file, ...faults])
    expect(both.exitCode).toBe(1)
    expect(place.readRun('several')).toMatchObject({result: {exitCode: 4}})
    expect(both.bytes.equals(printed([file, ...faults]))).toBe(true)
    expect(both.bytes.at(-1)).not.toBe(10)
    expect(both.bytes.includes(0)).toBe(true)
    expect(typesOf(both.events)).not.toContain('turn-end')
  })

  test('a recording that it made is replayed by its id', () => {
    const args = ['--data-dir', place.dataDir, 'exit']
    expect(printed(args).equals(original)).toBe(true)
    expect(vitrine(['fake-agent', ...args]).status).toBe(3)
  })

  test('a recording that asks waits for the answer, and answers who greets', async () => {
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

describe('a recording', () => {
  test('has its stderr where it came, and ends by its signal', async () => {
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

  test.each(['max', '0'])('comes at once with --speed %s', (speed) => {
    const dir = place.file(`late-${speed}`)
    mkdirSync(dir)
    writeRecording(dir, claude, original, [original.length], {startedAt: 0})
    writeFileSync(recordingAt(dir).timing, `[${10 ** 9},"out",${original.length}]\n`)
    expect(printed([dir, '--speed', speed]).equals(original)).toBe(true)
  })

  test('goes into a pipe that is full, to the last byte', async () => {
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

describe('a mistake is answered in a line', () => {
  const known = 'split-utf8, cut-line, huge-line, no-result, hang, garbage, exit=N.'
  const ascii = fixture('claude/2.1.325/subagent')

  test.each([
    [
      ['--fault', 'nope', file],
      `option --fault <kind> argument 'nope' is invalid. It must be one of ${known}`,
    ],
    [
      ['--fault', 'exit=256', file],
      `option --fault <kind> argument 'exit=256' is invalid. It must be one of ${known} The code is at most 255.`,
    ],
    [[file, '--fault', 'exit'], '--fault exit wants a code, such as --fault exit=3'],
    [
      [file, '--fault', 'hang', '--fault', 'exit=3'],
      '--fault hang never ends, so it has no exit code. Leave one of them out',
    ],
    [
      [ascii, '--fault', 'split-utf8'],
      `${ascii}: no character in this recording has more than one byte: none can be split`,
    ],
    [
      [file, '--speed', 'fast'],
      "option --speed <factor> argument 'fast' is invalid. It must be a number above 0.",
    ],
    [['nope.jsonl'], 'nope.jsonl: no such file, folder or run. Recordings: vitrine runs'],
    [['abcd'], 'run abcd is not here. Recordings: vitrine runs'],
    [['/'], '/: is a folder, but not that of a recording: it has no file stdout'],
  ])('%j', (args, sentence) => {
    const ended = vitrine(['fake-agent', ...args])
    expect(ended).toEqual({status: 2, stdout: '', stderr: `vitrine: ${sentence}\n`})
  })
})

function withoutTime(event: AgentEvent): Omit<AgentEvent, 'at'> {
  const {at: _, ...rest} = event
  return rest
}
