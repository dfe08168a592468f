import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {makeRecord} from '../../test/support/recording.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {openRunReader, type RunReader} from './message-reader.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vitrine-pieces-'))
})

afterEach(() => rmSync(dir, {recursive: true, force: true}))

function recordOf(changes: Partial<RunRecord> = {}): RunRecord {
  const begun = makeRecord({argv: ['make'], ...changes})
  writeRunRecord(dir, begun)
  return begun
}

const over = {
  endedAt: 9000,
  result: {verdict: 'succeeded', reason: 'done', startedAt: 1000, durationMs: 8000, costUsd: null},
} as unknown as Partial<RunRecord>

function readOn(reader: RunReader): RunMessage[] {
  const told: RunMessage[] = []
  reader.refreshRecord()
  for (let isMore = true; isMore;) {
    const read = reader.advance()
    told.push(...read.messages)
    ;({isMore} = read)
  }
  return told
}

test.each([
  // More was there than had its time, or less than is read at once.
  {first: 'one\n', early: 'tw', rest: 'o\nthree\n'},
  {
    first: 'one\n',
    early: '',
    rest: `${'x'.repeat(99)}\n`.repeat(655) + 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n'.repeat(20),
  },
  {first: 'one\n', early: 'two\nthr', rest: 'ee\n'.repeat(100_000)},
])('what a command prints is told alike, live and later', ({first, early, rest}) => {
  const files = recordingAt(dir)
  const end = first.length + early.length + rest.length
  writeFileSync(files.stdout, first + early)
  writeFileSync(files.timing, `[2000,"out",${first.length}]\n`)
  const reader = openRunReader(dir, recordOf(), {agent: null})
  const live = readOn(reader)
  appendFileSync(files.stdout, rest)
  appendFileSync(files.timing, `[3000,"out",${end}]\n`)
  live.push(...readOn(reader))
  const ended = recordOf(over)
  live.push(...readOn(reader))
  reader.closeFiles()
  const again = openRunReader(dir, ended, {agent: null})
  const later = readOn(again)
  again.closeFiles()
  expect(live.map(({seq, type}) => ({seq, type}))).toEqual(
    later.map(({seq, type}) => ({seq, type})),
  )
  expect(live).toEqual(later)
  const said = later.flatMap((message) => (message.type === 'agent_output' ? message.content : []))
  expect(said.join('')).toBe(first + early + rest)
})

test('a run whose end is written while it is being read comes to its end', () => {
  const files = recordingAt(dir)
  const lines = 2000
  writeFileSync(files.stdout, 'x\n'.repeat(lines))
  const times = Array.from({length: lines}, (_, at) => `[${2000 + at},"out",${2 * at + 2}]\n`)
  writeFileSync(files.timing, times.join(''))
  const reader = openRunReader(dir, recordOf(), {agent: null})
  expect(reader.advance().isMore).toBe(true)
  // Said once, by whoever sends the run, and never again.
  recordOf(over)
  reader.refreshRecord()
  for (let isMore = true; isMore;) ({isMore} = reader.advance())
  reader.closeFiles()
  expect(reader.isOver).toBe(true)
})

test('a file of times that is damaged all through is read in turns, too', () => {
  const record = recordOf()
  const {timing} = recordingAt(dir)
  writeFileSync(timing, 'no time\n'.repeat(500_000))
  const reader = openRunReader(dir, record, {agent: null})
  // All of it takes far longer than a turn may.
  expect(reader.advance().isMore).toBe(true)
  readOn(reader)
  appendFileSync(timing, '[2000,"out",4]\n')
  writeFileSync(recordingAt(dir).stdout, 'one\n')
  expect(readOn(reader)).toMatchObject([{type: 'agent_output', content: 'one\n'}])
  reader.closeFiles()
})
