import {appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {watchFiles, type FileWatcher} from '../../src/runner/watch-files.ts'
import {countWatches} from '../support/process-stats.js'

let folder: string
let watcher: FileWatcher | undefined
let changes: string[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-watch-')))
  changes = []
})

afterEach(async () => {
  await watcher?.close()
  rmSync(folder, {recursive: true, force: true})
})

async function start(): Promise<FileWatcher> {
  watcher = watchFiles(folder, {onChange: ({action, path}) => changes.push(`${action} ${path}`)})
  await watcher.ready
  return watcher
}

function write(path: string): void {
  mkdirSync(dirname(join(folder, path)), {recursive: true})
  writeFileSync(join(folder, path), 'x')
}

test('a watcher reports each of 4000 files in new nested folders once', async () => {
  const watched = await start()
  const expected: string[] = []
  for (let round = 0; round < 20; round++) {
    for (let index = 0; index < 200; index++) {
      const path = `r${round}/a/b${index % 5}/f${index}`
      write(path)
      expected.push(`created ${path}`)
    }
    await sleep(round)
  }
  await expect.poll(() => changes.length, {timeout: 30_000}).toBeGreaterThanOrEqual(expected.length)
  await watched.close()
  expect(changes.toSorted()).toEqual(expected.toSorted())
})

test.skipIf(process.platform !== 'linux')(
  'a watcher of 20,000 files takes one watch per folder and does not block the event loop',
  async () => {
    for (let index = 0; index < 500; index++) {
      for (let file = 0; file < 40; file++) write(`d${index}/f${file}`)
    }
    const before = countWatches()
    const delay = monitorEventLoopDelay({resolution: 1})
    const startedAt = performance.now()
    delay.enable()
    const watched = await start()
    delay.disable()
    const tookMs = performance.now() - startedAt
    expect(countWatches() - before).toBeLessThanOrEqual(502)
    // If the walk were one synchronous task, the longest delay would be all of it.
    expect(delay.max / 1e6).toBeLessThan(Math.max(20, tookMs / 2))
    appendFileSync(join(folder, 'd499/f39'), 'y')
    write('d250/new')
    await watched.close()
    expect(changes.toSorted()).toEqual(['created d250/new', 'modified d499/f39'])
  },
)
