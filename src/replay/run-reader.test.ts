import {appendFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, beforeEach, describe, expect, test} from 'vitest'
import {createFixtureFolder, expectForEach} from '../../test/support/each-fixture.ts'
import {fixtures} from '../../test/support/fixtures.ts'
import {makeRecord, OVER, writeChunkTimes, writeRecording} from '../../test/support/recording.ts'
import {isStateMessage, type RunMessage} from '../core/protocol/server-message.ts'
import {recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import {encodeStateMessages} from '../hub/live/state-messages.ts'
import {openRunReader, type RunReader} from './run-reader.ts'

const folder = createFixtureFolder('vitrine-reader-')
afterAll(() => rmSync(folder, {recursive: true, force: true}))

let count = 0
let dir = ''
beforeEach(createDir)

/** Gives the next test or fixture an empty folder. */
function createDir(): void {
  dir = join(folder, `run-${++count}`)
  mkdirSync(dir)
}

function readAll(reader: RunReader): RunMessage[] {
  const all: RunMessage[] = []
  reader.refreshRecord()
  for (;;) {
    const {messages, isMore} = reader.advance()
    all.push(...messages)
    if (!isMore) break
  }
  reader.closeFiles()
  return all
}

const withoutTimes = (messages: readonly RunMessage[]) =>
  messages.map(({timestamp: _timestamp, ...message}) =>
    'durationMs' in message ? {...message, durationMs: 0} : message,
  )

test('publishes the same messages, without a gap in seq, for any chunks of any fixture', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    createDir()
    const made = writeRecording(dir, agent, bytes, [bytes.length], OVER)
    const complete = readAll(openRunReader(dir, made, {agent}))
    const numbered = complete.filter(({type}) => type !== 'agent_thinking')
    expect(numbered.map(({seq}) => seq)).toEqual(numbered.map((_, at) => at + 1))
    // Thinking has the number of the message before it.
    expect(complete.map(({seq}) => seq)).toEqual(
      complete.map(({seq}) => seq).toSorted((a, b) => a - b),
    )
    const first = (one: RunMessage) => complete.find(({seq}) => seq === one.seq)?.type
    expect(complete.filter((one) => first(one) === 'agent_thinking')).toEqual([])
    expect(complete.at(0)?.type).toBe('run_started')
    expect(complete.at(-1)?.type).toBe('run_ended')
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), {maxLength: 8}), (cuts) => {
        const ends = cuts.filter((cut) => cut > 0).toSorted((one, other) => one - other)
        writeChunkTimes(dir, ends)
        const chunked = readAll(openRunReader(dir, made, {agent}))
        expect(withoutTimes(chunked)).toEqual(withoutTimes(complete))
        // A second read returns identical messages.
        expect(readAll(openRunReader(dir, made, {agent}))).toEqual(chunked)
      }),
      {numRuns: 5},
    )
  })
})

test('reports progress that never decreases and reaches 100 only at the end of any fixture', async () => {
  await expectForEach(fixtures, ({agent, bytes}) => {
    createDir()
    const files = recordingAt(dir)
    const reader = openRunReader(dir, writeRecording(dir, agent, new Uint8Array(), [], {}), {agent})
    const percentages: number[] = []
    const step = Math.max(1, Math.ceil(bytes.length / 20))
    for (let start = 0; ; start += step) {
      const upTo = Math.min(start + step, bytes.length)
      appendFileSync(files.stdout, bytes.subarray(start, upTo))
      appendFileSync(files.timing, `[${1000 + upTo},"out",${upTo}]\n`)
      readAll(reader)
      percentages.push(reader.summarize(1000 + upTo).percentage)
      if (upTo === bytes.length) break
    }
    expect(percentages).toEqual(percentages.toSorted((one, other) => one - other))
    expect(Math.max(...percentages)).toBeLessThan(100)
    writeRunRecord(dir, makeRecord({agent: agent.id, ...OVER}))
    readAll(reader)
    const summary = reader.summarize(0)
    expect(summary).toMatchObject({percentage: 100, state: 'over', verdict: 'succeeded'})
    const states = encodeStateMessages(summary, JSON.stringify(summary), reader.seq, 61_000)
    expect(states.every(({type, seq}) => isStateMessage(type) && seq === reader.seq)).toBe(true)
  })
})

describe('a recording', () => {
  const claude = fixtures.find(({agent}) => agent.id === 'claude')?.agent ?? null

  test('is read as far as its timing file goes while it grows', () => {
    const files = recordingAt(dir)
    const made = writeRecording(dir, null, 'one\ntwo\n', [4], {})
    const reader = openRunReader(dir, made, {agent: null})
    expect(readAll(reader)).toMatchObject([{type: 'run_started'}, {content: 'one\n'}])
    expect(readAll(reader)).toEqual([])
    appendFileSync(files.timing, '[5000,"ou')
    expect(readAll(reader)).toEqual([])
    appendFileSync(files.timing, 't",8]\n')
    expect(readAll(reader)).toMatchObject([
      {content: 'two\n', timestamp: '1970-01-01T00:00:05.000Z'},
    ])
  })

  test('is read up to its recorded size after the run has ended', () => {
    const bytes = Buffer.from('one\ntwo\nthree\n')
    const made = writeRecording(dir, null, bytes, [4], {...OVER, sizes: {stdout: 8, stderr: 0}})
    const messages = readAll(openRunReader(dir, made, {agent: null}))
    expect(messages).toMatchObject([
      {type: 'run_started', title: 'agent -p x'},
      {content: 'one\n', timestamp: '1970-01-01T00:00:02.000Z'},
      {content: 'two\n', timestamp: '1970-01-01T00:01:01.000Z'},
      {type: 'run_ended', verdict: 'succeeded'},
    ])
  })

  test('reports watched file changes in order instead of those reported by tools', () => {
    const files = recordingAt(dir)
    const made = writeRecording(dir, null, 'one\ntwo\n', [], {...OVER, isWatched: true})
    const change = `${JSON.stringify({path: 'a', action: 'created', sizeBytes: 3})}\n`
    writeFileSync(files.files, `${change}not json\n{"path":"b","action":"eaten"}\n${change}`)
    const end = change.length
    writeFileSync(files.timing, `[2000,"out",4]\n[3000,"file",${end}]\n[4000,"out",8]\n`)
    expect(readAll(openRunReader(dir, made, {agent: null}))).toMatchObject([
      {type: 'run_started'},
      {content: 'one\n'},
      {type: 'file_changed', path: 'a', action: 'created', sizeBytes: 3},
      {content: 'two\n'},
      {type: 'run_ended'},
    ])
  })

  test('keeps a permission request open until it is answered', () => {
    const files = recordingAt(dir)
    const asked = {
      type: 'control_request',
      request_id: 'q',
      request: {
        subtype: 'can_use_tool',
        tool_name: 'Bash',
        input: {command: 'ls'},
        tool_use_id: 't',
      },
    }
    const bytes = Buffer.from(`${JSON.stringify(asked)}\n`)
    const reader = openRunReader(dir, writeRecording(dir, claude, bytes, [bytes.length], {}), {
      agent: claude,
    })
    expect(readAll(reader)).toMatchObject([{type: 'run_started'}, {type: 'permission_request'}])
    expect(reader.summarize(3000)).toMatchObject({
      requests: [{requestId: 'q', name: 'Bash'}],
      waiting: {why: 'waiting-for-permission'},
    })
    const answer = '{"requestId":"q","allow":true}\n'
    writeFileSync(files.answers, answer)
    appendFileSync(files.timing, `[4000,"answer",${answer.length}]\n`)
    readAll(reader)
    expect(reader.summarize(5000).requests).toEqual([])
  })

  test('shows the waiting reason of the supervisor until there is new output', () => {
    const waiting = {why: 'suspended', detail: '', since: 2000} as const
    const live = {...waiting, at: 4000, isStuck: true, costUsd: null, isEstimate: false}
    const bytes = Buffer.from('{"type":"system","subtype":"init","session_id":"s"}\n\n')
    const half = bytes.length - 1
    const made = writeRecording(dir, claude, bytes, [half], {live})
    const reader = openRunReader(dir, made, {agent: claude})
    readAll(reader)
    expect(reader.summarize(5000)).toMatchObject({waiting, isStuck: true})
    appendFileSync(recordingAt(dir).timing, `[4500,"out",${bytes.length}]\n`)
    readAll(reader)
    expect(reader.summarize(5000).waiting).toMatchObject({why: 'thinking'})
  })

  test('is read as far as possible when it is damaged or removed', () => {
    const made = writeRecording(dir, null, Buffer.from('one\n'), [], {})
    rmSync(recordingAt(dir).stdout)
    writeFileSync(recordingAt(dir).timing, 'x\n[1,"out",99]\n[2,"later",5]\n\u0000\n')
    const reader = openRunReader(dir, made, {agent: null})
    expect(readAll(reader)).toMatchObject([{type: 'run_started'}])
    rmSync(dir, {recursive: true})
    expect(readAll(reader)).toEqual([])
  })
})
