import {chmodSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {OVER, writeRecording} from '../../../test/support/recording.ts'
import {
  answerRow,
  createSessionPlace,
  promptRow,
  resultRow,
  START,
  type SessionPlace,
} from '../../../test/support/search.ts'
import {claude} from '../../agents/claude/index.ts'
import {fillSearch, type FillOptions} from './fill.ts'
import {searchHistory, type SearchResult} from './search.ts'
import {openSearchStore, type SearchStore} from './search-store.ts'

let place: SessionPlace
let store: SearchStore

beforeEach(() => {
  place = createSessionPlace()
  store = openSearchStore(':memory:')
})
afterEach(() => {
  store.close()
  place.clear()
})

/** Fills the store and returns the titles of the runs and sessions that were read. */
async function fill(options: FillOptions = {}): Promise<string[]> {
  const read: string[] = []
  const onRead = ({title}: {title: string}) => read.push(title)
  await fillSearch(store, await place.read(), {onRead, ...options})
  return read
}

async function find(text: string): Promise<SearchResult> {
  return searchHistory(store, await place.read(), {text, limit: 10})
}

const countOf = async (text: string) => (await find(text)).total

test('makes everything in a session searchable, with its time', async () => {
  const long = `Fix it\n${'more words '.repeat(800)}needle`
  place.write(
    'a',
    promptRow(1, long),
    answerRow(2, 'I look.', {id: 't', name: 'Bash', input: {command: 'npm test'}}),
    resultRow(3, 't', 'FAIL src/refund.ts', true),
  )
  expect(await fill()).toEqual(['Fix it'])
  const {entries} = await find('needle look npm refund')
  expect(entries[0]?.moments).toHaveLength(3)
  for (const [text, role, second] of [
    ['needle', 'prompt', 1],
    ['"I look"', 'reply', 2],
    ['npm', 'command', 2],
    ['src/refund', 'error', 3],
  ] as const) {
    const [found] = (await find(text)).entries
    expect(found).toMatchObject({
      matches: 1,
      moments: [{role, at: START + second * 1000, offsetMs: (second - 1) * 1000}],
    })
  }
})

test('reads only sessions that are new or have changed, and removes those that are gone', async () => {
  place.write('a', promptRow(1, 'first'), answerRow(2, 'alpha'))
  place.write('b', promptRow(3, 'second'), answerRow(4, 'alpha'))
  expect(await fill()).toEqual(['second', 'first'])
  expect(await fill()).toEqual([])
  place.write('a', answerRow(5, 'alpha beta'))
  expect((await find('beta')).indexing).toBe(0)
  expect(await fill()).toEqual(['first'])
  expect([await countOf('alpha'), await countOf('beta')]).toEqual([3, 1])
  rmSync(place.pathOf('b'))
  expect(await fill()).toEqual([])
  expect(store.list()).toHaveLength(1)
  expect([...store.count('"alpha"').values()]).toEqual([2])
})

test('reads a session again that was replaced by a shorter one', async () => {
  place.write('a', promptRow(1, 'first'), answerRow(2, 'alpha'), answerRow(3, 'beta'))
  await fill()
  rmSync(place.pathOf('a'))
  place.write('a', promptRow(1, 'first'), answerRow(2, 'gamma'))
  await fill()
  expect([await countOf('alpha'), await countOf('beta'), await countOf('gamma')]).toEqual([0, 0, 1])
})

test('continues where it was aborted, and counts the rest', async () => {
  for (let index = 0; index < 5; index++) {
    place.write(`s${index}`, promptRow(index, `prompt ${index}`))
  }
  const controller = new AbortController()
  const progress: string[] = []
  const read = await fill({
    signal: controller.signal,
    turnMs: 0,
    onProgress({done, of}) {
      progress.push(`${done} of ${of}`)
      if (done === 2) controller.abort()
    },
  })
  expect(progress).toEqual(['0 of 5', '1 of 5', '2 of 5'])
  expect(read.length).toBeLessThan(4)
  const {total, indexing} = await find('prompt')
  expect(total + indexing).toBeGreaterThanOrEqual(5)
  expect(indexing).toBeGreaterThan(1)
  expect(await fill()).toHaveLength(indexing)
  expect(await find('prompt')).toMatchObject({total: 5, indexing: 0})
})

test('pauses within a long session', async () => {
  const rows = Array.from({length: 3000}, (_, index) =>
    answerRow(index, `word${index} `.repeat(50)),
  )
  place.write('a', promptRow(0, 'long'), ...rows)
  const turns: number[] = []
  await fill({
    turnMs: 5,
    pause: async (tookMs) => {
      turns.push(tookMs)
    },
  })
  expect(turns.length).toBeGreaterThan(3)
  expect(await countOf('word2999')).toBe(1)
})

test('leaves out sessions that are not due', async () => {
  place.write('a', promptRow(1, 'first'))
  place.write('b', promptRow(2, 'second'))
  expect(await fill({isDue: ({title}) => title === 'second'})).toEqual(['second'])
  expect((await find('first')).indexing).toBe(1)
  expect(await fill()).toEqual(['first'])
})

test('makes runs searchable with the times at which their output arrived', async () => {
  const lines = ['Working', 'Finished'].map((text, index) => {
    const message = {id: `m${index}`, role: 'assistant', content: [{type: 'text', text}]}
    return `${JSON.stringify({type: 'assistant', message, session_id: 'x'})}\n`
  })
  const dir = join(place.dataDir, 'runs/r')
  mkdirSync(dir, {recursive: true})
  const [first = '', second = ''] = lines
  const ends = [first.length, first.length + second.length]
  writeRecording(dir, claude, first + second, ends, {...OVER, prompt: 'Fix the\nrefund'})
  expect(await fill()).toEqual(['Fix the'])
  expect((await find('refund')).entries[0]?.moments).toMatchObject([{role: 'prompt', offsetMs: 0}])
  expect((await find('working finished')).entries[0]?.moments).toMatchObject([
    {role: 'reply', offsetMs: 1000, text: 'Working', marks: [[0, 7]]},
    {role: 'reply', offsetMs: 2000, text: 'Finished', marks: [[0, 8]]},
  ])
})

test('reads a live run again when it has printed more', async () => {
  const line = (text: string) => {
    const message = {id: text, role: 'assistant', content: [{type: 'text', text}]}
    return `${JSON.stringify({type: 'assistant', message, session_id: 'x'})}\n`
  }
  const dir = join(place.dataDir, 'runs/r')
  mkdirSync(dir, {recursive: true})
  writeRecording(dir, claude, line('one'), [line('one').length], {})
  await fill()
  expect(await fill()).toEqual([])
  const both = line('one') + line('two')
  writeRecording(dir, claude, both, [line('one').length, both.length], {})
  await fill()
  expect([await countOf('one'), await countOf('two')]).toEqual([1, 1])
})

test.skipIf(process.getuid?.() === 0)(
  'a file that cannot be read does not stop the others',
  async () => {
    place.write('a', promptRow(1, 'first'))
    place.write('b', promptRow(2, 'second'))
    await place.read()
    chmodSync(place.pathOf('b'), 0)
    await fill()
    expect(await countOf('first')).toBe(1)
    chmodSync(place.pathOf('b'), 0o600)
  },
)

test('damaged rows do not stop it', async () => {
  place.write('a', promptRow(1, 'first'))
  const {atime, mtime} = statSync(place.pathOf('a'))
  writeFileSync(
    place.pathOf('a'),
    `{"type":"user","message":{"content":[1,null,{}]}}\n[]\n\0\n{"cut`,
    {
      flag: 'a',
    },
  )
  utimesSync(place.pathOf('a'), atime, mtime)
  await fill()
  expect(await countOf('first')).toBe(1)
})
