import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import fc from 'fast-check'
import {expect} from 'vitest'
import type {RunEntry, Store, StoredMessage} from '../../src/hub/index/store.ts'
import type {SqliteStoreOptions} from '../../src/hub/index/sqlite.ts'
import {sleep} from './run.ts'

/** The built store: a worker thread cannot load TypeScript on every Node version. */
const storeUrl = new URL('../../dist/hub/index/sqlite.js', import.meta.url)

/** Opens the built store. */
export const {openSqliteStore} = (await import(storeUrl.href)) as {
  openSqliteStore(path: string, options: SqliteStoreOptions): Promise<Store>
}

/** A message with text that a search for `glass` finds. */
export function createMessage(seq: number): StoredMessage {
  const content = `glass and light ${seq} `.repeat(10)
  const at = 1_000_000 + seq
  const timestamp = new Date(at).toISOString()
  const json = JSON.stringify({type: 'agent_output', seq, timestamp, content})
  return {seq, type: 'agent_output', at, json}
}

/** Messages with consecutive sequence numbers. */
export function createMessages(from: number, count: number): StoredMessage[] {
  return Array.from({length: count}, (_, index) => createMessage(from + index))
}

/** The index entry of a run that has ended, with changed fields. */
export function createEntry(runId: string, fields: Partial<RunEntry> = {}): RunEntry {
  return {
    runId,
    workOrderId: runId,
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
export async function writeSampleIndex(path: string): Promise<Buffer> {
  const store = await openSqliteStore(path, {onDamage: () => {}})
  store.putRun(createEntry('a'))
  store.append('a', createMessages(1, SAMPLE_SIZE))
  await store.whenSearchable()
  await store.close()
  return readFileSync(path)
}

/** Sequence numbers of all messages of a run, in the order of the store. */
export async function listSeqs(store: Store, runId: string): Promise<number[]> {
  const page = await store.listMessages(runId, {since: 0, limit: 100_000})
  return page.messages.map(({seq}) => seq)
}

/** The numbers from 1 to `count`. */
export function range(count: number): number[] {
  return Array.from({length: count}, (_, index) => index + 1)
}

/** Starts a Node process that runs `script` with `openSqliteStore` in scope. */
export function startStoreScript(script: string) {
  const head = `import {openSqliteStore} from ${JSON.stringify(storeUrl.href)}\n`
  const child = spawn(process.execPath, ['--input-type=module', '-e', head + script])
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const ended = once(child, 'close').then(([status]) => ({
    status: status as number | null,
    output,
  }))
  return {
    child,
    ended,
    /** Waits until the process has printed `text`. */
    async prints(text: string): Promise<void> {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`Ended before it printed ${text}:\n${output}`)
        await sleep(2)
      }
    },
  }
}

/** Messages that the writer of `checkKilledWriter` appends in one batch. */
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
  const damages: string[] = []
  let last = 0
  for (const [round, {batches, delayMs}] of kills.entries()) {
    const writer = startStoreScript(`
      const store = await openSqliteStore(${JSON.stringify(path)}, {onDamage(reason) { console.log(reason) }})
      const stamps = await store.listStamps()
      let seq = stamps[0]?.lastSeq ?? 0
      console.log('open')
      for (;;) {
        const messages = Array.from({length: ${BATCH_SIZE}}, () => ({
          seq: ++seq, type: 'agent_tool_call', at: seq, json: JSON.stringify({type: 'agent_tool_call', seq,
            timestamp: new Date(seq), toolUseId: 'tool' + seq, tool: 'Bash', input: {command: 'glass ' + seq}}),
        }))
        store.append('a', messages)
        store.putRun({runId: 'a', workOrderId: 'a', agent: null, title: '', startedAt: 1, isOver: false,
          toolCount: seq, summary: '{}', stamp: String(seq), isComplete: false})
        await store.whenWritten()
        console.log(seq)
      }`)
    const target = last + batches * BATCH_SIZE
    await writer.prints(batches === 0 ? 'open\n' : `\n${target}\n`)
    await sleep(delayMs)
    writer.child.kill('SIGKILL')
    const {output} = await writer.ended
    expect(output).toMatch(/^open\n(\d+\n)*\d*$/)
    // The last line may be cut off.
    const committed = Number(output.split('\n').slice(1, -1).at(-1) ?? last)

    const store = await openSqliteStore(path, {onDamage: (reason) => damages.push(reason)})
    const [stamp] = await store.listStamps()
    const count = stamp?.lastSeq ?? 0
    expect(count).toBeGreaterThanOrEqual(committed)
    expect(count).toBeGreaterThanOrEqual(last)
    expect(count % BATCH_SIZE).toBe(0)
    expect(await listSeqs(store, 'a')).toEqual(range(count))
    // Tools are listed both before and after the search index has caught up.
    if (round % 2 === 0) await store.whenSearchable()
    expect(await store.listTools('a')).toHaveLength(count)
    await store.whenSearchable()
    const {hits, waiting} = await store.search({text: 'glass', limit: 1_000_000})
    expect(waiting).toBe(0)
    expect(hits.map(({seq}) => seq).toReversed()).toEqual(range(count))
    expect(stamp?.messageCount ?? 0).toBe(count)
    expect((await store.getRun('a'))?.toolCount ?? 0).toBe(count)
    expect(await store.listTools('a')).toHaveLength(count)
    await store.close()
    last = count
  }
  expect(last).toBeGreaterThan(0)
  expect(damages).toEqual([])
}

/**
 * Flips random bits of a sample index and checks that the store returns no message that differs from the written one.
 *
 * @param intact - Bytes of the index that `writeSampleIndex` wrote.
 */
export async function checkRandomDamage(
  path: string,
  intact: Buffer,
  parameters: fc.Parameters<[[number, number][]]>,
): Promise<void> {
  const flip = fc.tuple(fc.nat(intact.length - 1), fc.integer({min: 1, max: 255}))
  let damageCount = 0
  await fc.assert(
    fc.asyncProperty(fc.array(flip, {minLength: 1, maxLength: 100}), async (flips) => {
      const bytes = Buffer.from(intact)
      for (const [at, bits] of flips) bytes[at] = (bytes[at] ?? 0) ^ bits
      writeFileSync(path, bytes)
      const store = await openSqliteStore(path, {onDamage: () => damageCount++})
      try {
        const answers = await Promise.allSettled([
          store.listMessages('a', {since: 0, limit: 1000}),
          store.search({text: 'glass light', limit: 1000}),
          store.listRuns({limit: 10}),
          store.listTools('a'),
        ])
        const [page, found, runs] = answers
        const given = page.status === 'fulfilled' ? page.value.messages : []
        expect(given).toEqual(given.map(({seq}) => ({seq, json: createMessage(seq).json})))
        const hits = found.status === 'fulfilled' ? found.value.hits : []
        expect(hits.length).toBeLessThanOrEqual(SAMPLE_SIZE)
        const titles = runs.status === 'fulfilled' ? runs.value.runs.map(({title}) => title) : []
        expect([[], ['Run a']]).toContainEqual(titles)
        // Removing the run visits every table.
        store.removeRun('a')
        store.append('b', createMessages(1, 2))
        await store.whenWritten().catch(() => {})
        await store.clear()
        store.append('c', createMessages(1, 2))
        expect(await listSeqs(store, 'c')).toEqual([1, 2])
      } finally {
        await store.close()
      }
    }),
    parameters,
  )
  expect(damageCount).toBeGreaterThan(0)
}
