import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {makeRecord} from '../../test/support/recording.ts'
import type {RunMessage} from '../core/protocol/server-message.ts'
import {recordingAt} from '../recording/recording.ts'
import {writeRunRecord} from '../recording/run-record-file.ts'
import type {RunRecord} from '../recording/run-record.ts'
import {openRunReader, type RunReader} from './run-reader.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vitrine-deltas-'))
})

afterEach(() => rmSync(dir, {recursive: true, force: true}))

function recordOf(changes: Partial<RunRecord> = {}): RunRecord {
  const begun = makeRecord({argv: ['make'], ...changes})
  writeRunRecord(dir, begun)
  return begun
}

const ENDED = {
  endedAt: 9000,
  result: {verdict: 'succeeded', reason: 'done', startedAt: 1000, durationMs: 8000, costUsd: null},
} as unknown as Partial<RunRecord>

function readNew(reader: RunReader): RunMessage[] {
  const messages: RunMessage[] = []
  reader.refreshRecord()
  for (let isMore = true; isMore;) {
    const read = reader.advance()
    messages.push(...read.messages)
    ;({isMore} = read)
  }
  return messages
}

test.each([
  // Cases: unfinished lines, and more output than is read in one turn.
  {first: 'one\n', early: 'tw', rest: 'o\nthree\n'},
  {
    first: 'one\n',
    early: '',
    rest: `${'x'.repeat(99)}\n`.repeat(655) + 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n'.repeat(20),
  },
  {first: 'one\n', early: 'two\nthr', rest: 'ee\n'.repeat(100_000)},
])(
  'publishes the same messages for the output of a command, live and later',
  ({first, early, rest}) => {
    const files = recordingAt(dir)
    const end = first.length + early.length + rest.length
    writeFileSync(files.stdout, first + early)
    writeFileSync(files.timing, `[2000,"out",${first.length}]\n`)
    const reader = openRunReader(dir, recordOf(), {agent: null})
    const live = readNew(reader)
    appendFileSync(files.stdout, rest)
    appendFileSync(files.timing, `[3000,"out",${end}]\n`)
    live.push(...readNew(reader))
    const ended = recordOf(ENDED)
    live.push(...readNew(reader))
    reader.closeFiles()
    const again = openRunReader(dir, ended, {agent: null})
    const later = readNew(again)
    again.closeFiles()
    expect(live.map(({seq, type}) => ({seq, type}))).toEqual(
      later.map(({seq, type}) => ({seq, type})),
    )
    expect(live).toEqual(later)
    const printed = later.flatMap((message) =>
      message.type === 'agent_output' ? message.content : [],
    )
    expect(printed.join('')).toBe(first + early + rest)
  },
)

test('reads a run to its end when the end is written while it is being read', () => {
  const files = recordingAt(dir)
  const lines = 2000
  writeFileSync(files.stdout, 'x\n'.repeat(lines))
  const times = Array.from({length: lines}, (_, at) => `[${2000 + at},"out",${2 * at + 2}]\n`)
  writeFileSync(files.timing, times.join(''))
  const reader = openRunReader(dir, recordOf(), {agent: null})
  expect(reader.advance().isMore).toBe(true)
  // The end is written once: no later change triggers another read.
  recordOf(ENDED)
  reader.refreshRecord()
  for (let isMore = true; isMore;) ({isMore} = reader.advance())
  reader.closeFiles()
  expect(reader.isOver).toBe(true)
})

test('reads a completely damaged timing file in turns', () => {
  const record = recordOf()
  const {timing} = recordingAt(dir)
  writeFileSync(timing, 'no time\n'.repeat(500_000))
  const reader = openRunReader(dir, record, {agent: null})
  // The complete file takes far longer than one turn.
  expect(reader.advance().isMore).toBe(true)
  readNew(reader)
  appendFileSync(timing, '[2000,"out",4]\n')
  writeFileSync(recordingAt(dir).stdout, 'one\n')
  expect(readNew(reader)).toMatchObject([{type: 'agent_output', content: 'one\n'}])
  reader.closeFiles()
})
