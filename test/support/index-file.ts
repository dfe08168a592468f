import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {copyFileSync, existsSync, readFileSync, writeFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect} from 'vitest'
import {isDamage} from '../../src/database/database.ts'
import {removeIndexFiles} from '../../src/database/files.ts'
import {openRunIndex, type RunIndex} from '../../src/hub/index/run-index.ts'
import type {RunEntry, StoredItem, StoredMessage} from '../../src/hub/index/store.ts'
import {sleep} from './run.ts'

/** The built index, for processes of their own. */
const builtUrl = new URL('../../dist/hub/index/run-index.js', import.meta.url)

/** A message that a search for `glass` finds. */
export function createMessage(seq: number): StoredMessage {
  const type = 'agent_output'
  const content = `glass and light ${seq} `.repeat(10)
  return {seq, type, json: JSON.stringify({type, seq, content})}
}

/** An item with a number. */
export function createItem(n: number): StoredItem {
  return {n, line: n, json: JSON.stringify({type: 'line', n, line: n}), complete: `[${n}]`}
}

/** The numbers from 1 to `count`. */
export function range(count: number): number[] {
  return Array.from({length: count}, (_, index) => index + 1)
}

/** The index entry of a run that has ended, with changed fields. */
export function createEntry(runId: string, fields: Partial<RunEntry> = {}): RunEntry {
  return {
    runId,
    workOrderId: runId,
    kind: 'run',
    cwd: '/home/dev/project',
    agent: 'claude',
    title: `Run ${runId}`,
    startedAt: 1,
    isOver: true,
    toolCount: 0,
    summary: '{}',
    stamp: 'a',
    isComplete: true,
    ...fields,
  }
}

/** Messages of the index that `writeSampleIndex` writes. */
const SAMPLE_SIZE = 600

/** Writes an index with one run `a` of `SAMPLE_SIZE` messages, and returns the bytes of its file. */
export function writeSampleIndex(path: string): Buffer {
  const index = open(path)
  index.putRun(createEntry('a'))
  index.append('a', range(SAMPLE_SIZE).map(createItem), range(SAMPLE_SIZE).map(createMessage))
  index.close()
  return readFileSync(path)
}

/** Opens an index; a lost commit is an error. */
export function open(path: string): RunIndex {
  return openRunIndex(path, {
    onLost(error) {
      throw error
    },
  })
}

/** Opens a copy of an index: only the end of a process surely unlocks the file of a closed one. */
export function openCopy(path: string): RunIndex {
  const copy = `${path}-${++copies}`
  for (const suffix of ['', '-wal']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
  }
  return open(copy)
}

let copies = 0

/** Numbers of all messages of a run. */
export function listSeqs(index: RunIndex, runId: string): number[] {
  return index.listMessages(runId, {since: 0, limit: 1_000_000}).messages.map(({seq}) => seq)
}

/** Messages that the writer of `checkKilledWriter` appends at once. */
const BATCH_SIZE = 10

/**
 * Starts a process that appends batches, kills it with SIGKILL and checks the index that it left behind, once per entry
 * of `kills`. Batches are committed as a whole, and nothing that the writer reported as committed is lost.
 *
 * @param kills - When to kill: the number of committed batches to wait for, and a delay after them.
 */
export async function checkKilledWriter(
  path: string,
  kills: readonly {batches: number; delayMs: number}[],
): Promise<void> {
  let last = 0
  for (const {batches, delayMs} of kills) {
    const committed = await killWriter(path, last + batches * BATCH_SIZE, delayMs)
    const index = openCopy(path)
    const {lastSeq = 0, lastItem = 0} = index.headOf('a') ?? {}
    expect(lastSeq).toBeGreaterThanOrEqual(Math.max(last, committed))
    expect(lastSeq % BATCH_SIZE).toBe(0)
    expect(lastItem).toBe(lastSeq)
    expect(listSeqs(index, 'a')).toEqual(range(lastSeq))
    expect(Array.from(index.listItems('a', 0), ({n}) => n)).toEqual(range(lastSeq))
    const {hits} = index.search({text: 'glass', limit: 1_000_000})
    expect(hits.map(({seq}) => seq).toReversed()).toEqual(range(lastSeq))
    expect(index.getRun('a')?.toolCount ?? 0).toBe(lastSeq)
    index.close()
    last = lastSeq
  }
  expect(last).toBeGreaterThan(0)
}

/** Kills a writer after it has reported a number of messages; returns how many it reported. */
async function killWriter(path: string, target: number, delayMs: number): Promise<number> {
  const script = `
    import {openRunIndex} from ${JSON.stringify(builtUrl.href)}
    const index = openRunIndex(${JSON.stringify(path)}, {onLost(error) { throw error }})
    let n = index.headOf('a')?.lastSeq ?? 0
    console.log(n)
    setInterval(() => {
      const numbers = Array.from({length: ${BATCH_SIZE}}, () => ++n)
      index.append('a', numbers.map((n) => ({n, line: n, json: '{"type":"line"}'})), numbers.map((seq) =>
        ({seq, type: 'agent_output', json: JSON.stringify({type: 'agent_output', content: 'glass ' + seq})})))
      index.putRun({runId: 'a', workOrderId: 'a', agent: null, title: '', startedAt: 1, isOver: false,
        toolCount: n, summary: '{}', stamp: '', isComplete: false})
      index.commit()
      console.log(n)
    }, 0)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const readLast = () => Number(output.split('\n').slice(0, -1).at(-1) ?? -1)
  while (readLast() < target && child.exitCode === null) await sleep(2)
  await sleep(delayMs)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(errors).toBe('')
  return readLast()
}

/**
 * Flips random bits of a sample index and checks that every read answers or throws an error, and that a new index works
 * afterwards.
 *
 * @param intact - Bytes of the index that `writeSampleIndex` wrote.
 */
export function checkRandomDamage(
  path: string,
  intact: Buffer,
  parameters: fc.Parameters<[[number, number][]]>,
): void {
  let damageCount = 0
  const flip = fc.tuple(fc.nat(intact.length - 1), fc.integer({min: 1, max: 255}))
  fc.assert(
    fc.property(fc.array(flip, {minLength: 1, maxLength: 100}), (flips) => {
      const bytes = Buffer.from(intact)
      for (const [at, bits] of flips) bytes[at] = (bytes[at] ?? 0) ^ bits
      removeIndexFiles(path)
      writeFileSync(path, bytes)
      const index = attempt(() => open(path))
      if (index !== undefined) {
        attempt(() => expect(listSeqs(index, 'a').length).toBeLessThanOrEqual(SAMPLE_SIZE))
        attempt(() => index.search({text: 'glass light', limit: 1000}))
        attempt(() => index.listRuns({limit: 10}))
        attempt(() => [...index.listItems('a', 0)])
        // Removing the run visits every table.
        attempt(() => index.removeRun('a'))
        attempt(() => index.close())
      }
      removeIndexFiles(path)
      const fresh = open(path)
      fresh.append('c', [], [createMessage(1), createMessage(2)])
      expect(listSeqs(fresh, 'c')).toEqual([1, 2])
      fresh.close()
    }),
    parameters,
  )
  expect(damageCount).toBeGreaterThan(0)

  function attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) damageCount++
      return undefined
    }
  }
}
