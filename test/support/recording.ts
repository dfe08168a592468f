import {rmSync, writeFileSync} from 'node:fs'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {recordingAt} from '../../src/recording/recording.ts'
import {writeRunRecord} from '../../src/recording/run-record-file.ts'
import type {RunRecord} from '../../src/recording/run-record.ts'
import {
  CONTEXT,
  encodeCompleteEvents,
  readFullRecords,
  type CompleteLine,
} from '../../src/replay/full-records.ts'
import type {FullRecord, LineItem, LineRange, SlimEvent} from '../../src/replay/run-item.ts'
import type {ReadItem} from '../../src/replay/run-reader.ts'

/** Fields of the record of a run that succeeded after a minute. */
export const OVER = {
  endedAt: 61_000,
  result: {
    verdict: 'succeeded',
    reason: 'done',
    evidence: [],
    exitCode: 0,
    signal: null,
    startedAt: 1000,
    durationMs: 60_000,
    costUsd: 1,
    isEstimate: false,
    tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0},
    turns: 1,
    toolCount: 0,
    failedToolCount: 0,
    deniedCount: 0,
    fileCount: 0,
    added: 0,
    removed: 0,
  } as unknown as NonNullable<RunRecord['result']>,
}

/** The record of a run that has started, with changed fields. */
export function makeRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    version: 1,
    runId: 'r',
    argv: ['agent', '-p', 'x'],
    ranArgv: [],
    cwd: '/home/dev',
    agent: null,
    startedAt: 1000,
    marker: 'm',
    supervisor: {pid: 17},
    ...changes,
  }
}

/** Writes a recording: its output and the end offsets of its chunks, which arrive one second apart. */
export function writeRecording(
  dir: string,
  agent: Adapter | null,
  bytes: Uint8Array | string,
  ends: number[],
  changes: Partial<RunRecord>,
): RunRecord {
  const files = recordingAt(dir)
  writeFileSync(files.stdout, bytes)
  const times = ends.map((end, at) => `[${2000 + at * 1000},"out",${end}]\n`)
  writeFileSync(files.timing, times.join(''))
  const made = makeRecord({agent: agent?.id ?? null, ...changes})
  writeRunRecord(dir, made)
  return made
}

/** Reads complete lines of an ended run as the hub does: from its stored items and its recording. */
export function readLineRecords(
  dir: string,
  record: RunRecord,
  items: readonly ReadItem[],
  range: LineRange,
): FullRecord[] {
  const [from, to] = range
  const all = items.filter(({item}) => item.type === 'line')
  const lines = all
    .filter(({line}) => line >= from - CONTEXT.before && line <= to + CONTEXT.after)
    .map((read): CompleteLine => {
      const item = JSON.parse(JSON.stringify(read.item)) as LineItem
      const complete = encodeCompleteEvents(read)
      if (complete !== undefined) item.events = JSON.parse(complete) as SlimEvent[]
      return item
    })
  return readFullRecords({
    path: recordingAt(dir).stdout,
    agent: record.agent,
    range,
    lines,
    isEnd: lines.at(-1)?.line === all.at(-1)?.line,
    mayAnswer: true,
    maxLineBytes: record.limits?.maxLineBytes,
  })
}

/** Replaces only the chunk times of a recording: faster than writing all files again. */
export function writeChunkTimes(recording: string, ends: number[]): void {
  const {timing} = recordingAt(recording)
  rmSync(timing)
  writeFileSync(timing, ends.map((end, at) => `[${2000 + at * 1000},"out",${end}]\n`).join(''))
}
