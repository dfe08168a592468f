import {spawnSync} from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {monitorEventLoopDelay} from 'node:perf_hooks'
import {setTimeout as sleep} from 'node:timers/promises'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {
  watchFiles,
  type FileWatcher,
  type WatchedChange,
  type WatchFilesOptions,
} from './watch-files.ts'

interface Watched extends FileWatcher {
  changes: WatchedChange[]
  limits: string[]
  /** What was told, as `created a/b`, sorted. */
  told(): string[]
  /** Waits until all that has happened until now is told. */
  calm(): Promise<void>
}

const isLinux = process.platform === 'linux'
let folder: string
let open: FileWatcher[]

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-watch-')))
  open = []
})

afterEach(async () => {
  await Promise.all(open.map((watcher) => watcher.close()))
  rmSync(folder, {recursive: true, force: true})
})

/** Watches the folder, or another one, from now on. */
async function start(options: Partial<WatchFilesOptions> = {}, root = folder): Promise<Watched> {
  const changes: WatchedChange[] = []
  const limits: string[] = []
  const watcher = watchFiles(root, {
    onChange: (change) => changes.push(change),
    onLimit: (reason) => limits.push(reason),
    ...options,
  })
  open.push(watcher)
  await watcher.ready
  let calms = 0
  return {
    ...watcher,
    changes,
    limits,
    told: () => describeAll(changes).toSorted(),
    async calm() {
      // A new folder is looked into first, so that the marker is not told before the files in it.
      await sleep(50)
      const marker = `marker-${calms++}`
      write(join(root, marker))
      await expect
        .poll(() => changes.some(({path}) => path === marker), {interval: 5, timeout: 20_000})
        .toBe(true)
      unlinkSync(join(root, marker))
      await expect
        .poll(() => changes.filter(({path}) => path === marker).length, {timeout: 20_000})
        .toBe(2)
      changes.splice(0, changes.length, ...changes.filter(({path}) => path !== marker))
    },
  }
}

function describeAll(changes: readonly WatchedChange[]): string[] {
  return changes.map(({action, path, toolId}) =>
    [action, path, ...(toolId === undefined ? [] : [`by ${toolId}`])].join(' '),
  )
}

function at(path: string): string {
  return join(folder, path)
}

function write(path: string, text = 'x'): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, text)
}

/** Longer than a change takes to settle. */
const REST_MS = 150

describe('what the disk shows', () => {
  test('tells what came before the watch began, from a time on', async () => {
    write(join(folder, 'old.txt'))
    mkdirSync(join(folder, 'old'))
    await sleep(50)
    const since = Date.now()
    await sleep(50)
    write(join(folder, 'new.txt'))
    mkdirSync(join(folder, 'new'))
    write(join(folder, 'new/inside.txt'))
    const watched = await start({since})
    await watched.calm()
    expect(watched.told()).toEqual(
      expect.arrayContaining(['created new.txt', 'created new/inside.txt']),
    )
    expect(watched.told().join()).not.toContain('old')
  })

  test('tells it also when it has to stop at once', async () => {
    const since = Date.now()
    await sleep(50)
    write(join(folder, 'new.txt'))
    const changes: WatchedChange[] = []
    await watchFiles(folder, {since, onChange: (change) => changes.push(change)}).close()
    expect(describeAll(changes)).toEqual(['created new.txt'])
  })

  test('a file is created, modified and deleted, with its new size', async () => {
    const watched = await start({now: () => 42})
    write(at('a.txt'), 'one')
    await watched.calm()
    appendFileSync(at('a.txt'), ' two')
    await watched.calm()
    unlinkSync(at('a.txt'))
    await watched.close()
    expect(watched.changes).toEqual([
      {path: 'a.txt', action: 'created', sizeBytes: 3, toolId: undefined, at: 42},
      {path: 'a.txt', action: 'modified', sizeBytes: 7, toolId: undefined, at: 42},
      {path: 'a.txt', action: 'deleted', sizeBytes: undefined, toolId: undefined, at: 42},
    ])
  })

  test('a file that was there before is modified', async () => {
    write(at('src/deep/a.ts'))
    const watched = await start()
    appendFileSync(at('src/deep/a.ts'), 'y')
    await watched.close()
    expect(watched.told()).toEqual(['modified src/deep/a.ts'])
  })

  test('several writes are one change', async () => {
    write(at('a.txt'))
    const watched = await start()
    for (let round = 0; round < 20; round++) {
      appendFileSync(at('a.txt'), 'more')
      await sleep(5)
    }
    await watched.calm()
    expect(watched.told()).toEqual(['modified a.txt'])
  })

  test('who is written to all the time is told of, but not each time', async () => {
    write(at('log.txt'))
    const watched = await start()
    const startedAt = Date.now()
    let writes = 0
    while (watched.changes.length < 2) {
      appendFileSync(at('log.txt'), 'line\n')
      writes++
      await sleep(10)
      if (Date.now() - startedAt > 20_000) break
    }
    expect(watched.told()).toEqual(['modified log.txt', 'modified log.txt'])
    expect(writes).toBeGreaterThan(20)
  })

  test('created and deleted at once is nothing, deleted and made again is modified', async () => {
    write(at('back.txt'))
    const watched = await start()
    write(at('gone.txt'))
    unlinkSync(at('gone.txt'))
    unlinkSync(at('back.txt'))
    await sleep(10)
    write(at('back.txt'), 'other')
    await watched.calm()
    expect(watched.told()).toEqual(['modified back.txt'])
  })

  test('rights and times of access are no change', async () => {
    write(at('known.txt'))
    write(at('looked-at.txt'))
    utimesSync(at('known.txt'), new Date(0), new Date(0))
    const watched = await start()
    appendFileSync(at('looked-at.txt'), 'y')
    await watched.calm()
    chmodSync(at('looked-at.txt'), 0o755)
    chmodSync(at('known.txt'), 0o755)
    readFileSync(at('known.txt'))
    await watched.calm()
    expect(watched.told()).toEqual(['modified looked-at.txt'])
  })

  test('a file that is made empty, or is put in the place of another with an old date, is modified', async () => {
    write(at('a.txt'))
    write(at('b.txt'))
    write(at('old.txt'))
    utimesSync(at('old.txt'), new Date(0), new Date(0))
    const watched = await start()
    truncateSync(at('a.txt'))
    renameSync(at('old.txt'), at('b.txt'))
    await watched.close()
    expect(watched.told()).toEqual(['deleted old.txt', 'modified a.txt', 'modified b.txt'])
    expect(watched.changes.find(({path}) => path === 'a.txt')?.sizeBytes).toBe(0)
  })

  test('a renamed file is deleted and created', async () => {
    write(at('a.txt'))
    const watched = await start()
    renameSync(at('a.txt'), at('b.txt'))
    await watched.close()
    expect(watched.told()).toEqual(['created b.txt', 'deleted a.txt'])
  })

  test('a link is a file of its own, and is not followed', async () => {
    write(at('outside/a.txt'))
    write(at('root/b.txt'))
    const watched = await start({}, at('root'))
    symlinkSync('../outside', at('root/link'))
    symlinkSync('nowhere', at('root/broken'))
    await watched.calm()
    appendFileSync(at('outside/a.txt'), 'y')
    appendFileSync(at('root/link/a.txt'), 'y')
    await watched.close()
    expect(watched.told()).toEqual(['created broken', 'created link'])
  })

  test('a file becomes a folder, a folder becomes a file', async () => {
    write(at('a'))
    write(at('b/c'))
    const watched = await start()
    unlinkSync(at('a'))
    write(at('a/d'))
    rmSync(at('b'), {recursive: true})
    write(at('b'))
    await watched.calm()
    appendFileSync(at('a/d'), 'y')
    await watched.close()
    expect(watched.told()).toEqual([
      'created a/d',
      'created b',
      'deleted a',
      'deleted b/c',
      'modified a/d',
    ])
  })

  test('nothing is told of a folder in which nothing happens', async () => {
    write(at('a/b/c.txt'))
    const watched = await start()
    readdirSync(at('a/b'))
    readFileSync(at('a/b/c.txt'))
    await watched.calm()
    expect(watched.changes).toEqual([])
  })
})

describe('editors', () => {
  test('write a file anew and put it in the place of the old one', async () => {
    write(at('a.txt'))
    const watched = await start()
    for (const text of ['one', 'two!']) {
      write(at('.a.txt.tmp'), text)
      renameSync(at('.a.txt.tmp'), at('a.txt'))
      await watched.calm()
    }
    expect(watched.told()).toEqual(['modified a.txt', 'modified a.txt'])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([3, 4])
  })

  test('put the old one aside, write a new one, remove the old one', async () => {
    write(at('a.txt'))
    const watched = await start()
    write(at('4913'), '')
    unlinkSync(at('4913'))
    renameSync(at('a.txt'), at('a.txt~'))
    write(at('a.txt'), 'new')
    unlinkSync(at('a.txt~'))
    await watched.calm()
    expect(watched.told()).toEqual(['modified a.txt'])
  })

  test.skipIf(!isLinux)('sed -i', async () => {
    write(at('a.txt'), 'one\n')
    const watched = await start()
    const {status} = spawnSync('sed', ['-i', 's/one/three/', at('a.txt')])
    expect(status).toBe(0)
    await watched.calm()
    expect(watched.changes).toMatchObject([{path: 'a.txt', action: 'modified', sizeBytes: 6}])
  })
})

describe('folders', () => {
  test('all files of new folders within folders are told once, time and again', async () => {
    const watched = await start()
    const expected: string[] = []
    for (let round = 0; round < 20; round++) {
      for (let index = 0; index < 200; index++) {
        const path = `r${round}/a/b${index % 5}/f${index}`
        write(at(path))
        expected.push(`created ${path}`)
      }
      await sleep(round)
    }
    await expect
      .poll(() => watched.changes.length, {timeout: 30_000})
      .toBeGreaterThanOrEqual(expected.length)
    await watched.close()
    expect(watched.told()).toEqual(expected.toSorted())
  })

  test('a new folder is watched', async () => {
    const watched = await start()
    write(at('a/b/one.txt'))
    await watched.calm()
    appendFileSync(at('a/b/one.txt'), 'y')
    write(at('a/two.txt'))
    await watched.calm()
    expect(watched.told()).toEqual([
      'created a/b/one.txt',
      'created a/two.txt',
      'modified a/b/one.txt',
    ])
  })

  test('a folder that is renamed takes its files with it, and is watched where it is now', async () => {
    write(at('a/one.txt'))
    write(at('a/deep/two.txt'))
    const watched = await start()
    renameSync(at('a'), at('b'))
    await watched.calm()
    const renamed = ['created b/deep/two.txt', 'created b/one.txt']
    const gone = ['deleted a/deep/two.txt', 'deleted a/one.txt']
    expect(watched.told()).toEqual([...renamed, ...gone])
    appendFileSync(at('b/deep/two.txt'), 'y')
    await watched.close()
    expect(watched.told()).toEqual([...renamed, ...gone, 'modified b/deep/two.txt'])
  })

  test('a folder that is removed takes its files with it', async () => {
    write(at('a/one.txt'))
    write(at('a/deep/two.txt'))
    write(at('b.txt'))
    const watched = await start()
    rmSync(at('a'), {recursive: true})
    await watched.calm()
    expect(watched.told()).toEqual(['deleted a/deep/two.txt', 'deleted a/one.txt'])
  })

  test('a folder that is replaced by another is compared with it, and the other is watched', async () => {
    write(at('root/a/deep/same.txt'))
    write(at('root/a/gone.txt'))
    write(at('other/deep/same.txt'), 'z')
    write(at('other/new.txt'))
    const watched = await start({}, at('root'))
    renameSync(at('root/a'), at('aside'))
    renameSync(at('other'), at('root/a'))
    await watched.calm()
    const replaced = ['created a/new.txt', 'deleted a/gone.txt', 'modified a/deep/same.txt']
    expect(watched.told()).toEqual(replaced)
    appendFileSync(at('aside/deep/same.txt'), 'not ours')
    appendFileSync(at('root/a/deep/same.txt'), 'ours')
    await watched.close()
    expect(watched.told()).toEqual([...replaced, 'modified a/deep/same.txt'])
  })

  test('when the root goes its files are deleted', async () => {
    write(at('root/a.txt'))
    write(at('root/b/c.txt'))
    const watched = await start({}, at('root'))
    rmSync(at('root'), {recursive: true})
    await expect.poll(() => watched.limits, {timeout: 10_000}).toHaveLength(1)
    await watched.close()
    expect(watched.told()).toEqual(['deleted a.txt', 'deleted b/c.txt'])
    expect(watched.limits).toEqual(['the folder is gone: nothing more is seen of it'])
  })

  test('when the root is moved away its files are deleted', async () => {
    write(at('root/a.txt'))
    const watched = await start({}, at('root'))
    renameSync(at('root'), at('elsewhere'))
    await expect.poll(() => watched.limits, {timeout: 10_000}).toHaveLength(1)
    appendFileSync(at('elsewhere/a.txt'), 'y')
    await sleep(REST_MS)
    expect(watched.told()).toEqual(['deleted a.txt'])
  })

  test('a root that is not there is said to be so', async () => {
    const watched = await start({}, at('nowhere'))
    watched.hear({path: 'a.txt', action: 'deleted', toolId: 't1'})
    await watched.close()
    expect(watched.limits).toEqual(['the folder is gone: nothing more is seen of it'])
    expect(watched.told()).toEqual(['deleted a.txt by t1'])
  })
})

describe('what is ignored', () => {
  test('.git, node_modules and what git ignores, at every level and above the root', async () => {
    mkdirSync(at('.git/info'), {recursive: true})
    write(at('.git/info/exclude'), 'private\n')
    write(at('.gitignore'), '*.log\nbuild/\n/root/only-here\n')
    write(at('root/.gitignore'), '/dist\n')
    write(at('root/sub/.gitignore'), '!keep.log\nbuild/*\n!build/\n!build/kept\n')
    const watched = await start({}, at('root'))
    for (const path of [
      '.git/HEAD',
      'node_modules/x/index.js',
      'sub/node_modules/y.js',
      'a.log',
      'build/out.js',
      'only-here',
      'dist/out.js',
      'private',
      'sub/private/key',
      'sub/build/dropped',
    ]) {
      write(at(`root/${path}`))
    }
    const told = ['sub/keep.log', 'sub/only-here', 'sub/dist/out.js', 'sub/build/kept', 'b.txt']
    for (const path of told) write(at(`root/${path}`))
    await watched.calm()
    expect(watched.told()).toEqual(told.map((path) => `created ${path}`).toSorted())
  })

  test('folders that the caller names', async () => {
    mkdirSync(join(folder, 'data', 'runs'), {recursive: true})
    const watched = await start({except: [join(folder, 'data')]})
    write(join(folder, 'data', 'runs', 'stdout'))
    write(join(folder, 'data', 'token'))
    write(join(folder, 'seen'))
    await watched.calm()
    expect(watched.told()).toEqual(['created seen'])
  })

  test('without a repository the .gitignore files count all the same, but not those above', async () => {
    write(at('.gitignore'), '*.txt\n')
    write(at('root/.gitignore'), '*.log\n')
    const watched = await start({}, at('root'))
    write(at('root/a.log'))
    write(at('root/a.txt'))
    write(at('root/node_modules/a.txt'))
    await watched.calm()
    expect(watched.told()).toEqual(['created a.txt'])
  })

  test.skipIf(!isLinux)('ignored folders are not watched', async () => {
    write(at('.gitignore'), 'target/\n')
    for (const path of ['target', 'node_modules', '.git']) {
      for (let index = 0; index < 20; index++) write(at(`${path}/${index}/a`))
    }
    write(at('src/a'))
    const before = countWatches()
    await start()
    // The root, src, and the folder of .git/info/exclude if there were one.
    expect(countWatches() - before).toBe(2)
  })

  test('a change of the rules is honoured, and is no change of the files', async () => {
    write(at('.gitignore'), '*.log\ncache/\n')
    write(at('a.log'))
    write(at('cache/deep/b.txt'))
    write(at('c.tmp'))
    write(at('sub/d.tmp'))
    const watched = await start()
    write(at('.gitignore'), '*.tmp\n')
    await watched.calm()
    expect(watched.told()).toEqual(['modified .gitignore'])
    for (const path of ['a.log', 'cache/deep/b.txt', 'c.tmp', 'sub/d.tmp']) {
      appendFileSync(at(path), 'y')
    }
    write(at('sub/new.log'))
    await watched.calm()
    const now = [
      'created sub/new.log',
      'modified .gitignore',
      'modified a.log',
      'modified cache/deep/b.txt',
    ]
    expect(watched.told()).toEqual(now)
    unlinkSync(at('.gitignore'))
    await watched.calm()
    appendFileSync(at('sub/d.tmp'), 'y')
    await watched.close()
    expect(watched.told()).toEqual([...now, 'deleted .gitignore', 'modified sub/d.tmp'].toSorted())
  })

  test('rules outside of the root may change too', async () => {
    mkdirSync(at('.git/info'), {recursive: true})
    write(at('root/sub/a.log'))
    const watched = await start({}, at('root'))
    write(at('.git/info/exclude'), '*.log\n')
    write(at('.gitignore'), '*.tmp\n')
    await watched.calm()
    appendFileSync(at('root/sub/a.log'), 'y')
    write(at('root/sub/b.tmp'))
    write(at('root/c.txt'))
    await watched.close()
    expect(watched.told()).toEqual(['created c.txt'])
  })
})

describe('what tools say', () => {
  test('disk first, then the tool: one change', async () => {
    const watched = await start()
    write(at('a.txt'))
    await watched.calm()
    watched.hear({path: 'a.txt', action: 'created', toolId: 't1'})
    await watched.close()
    expect(watched.told()).toEqual(['created a.txt'])
  })

  test('disk and tool together: one change, with the tool', async () => {
    write(at('b.txt'))
    const watched = await start()
    write(at('a.txt'))
    watched.hear({path: 'a.txt', action: 'created', toolId: 't1'})
    watched.hear({path: at('b.txt'), action: 'modified', toolId: 't2'})
    appendFileSync(at('b.txt'), 'y')
    await watched.calm()
    expect(watched.told()).toEqual(['created a.txt by t1', 'modified b.txt by t2'])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([1, 2])
  })

  test('the tool first, then the disk: one change, with the tool', async () => {
    write(at('a.txt'))
    write(at('c.txt'))
    const watched = await start()
    watched.hear({path: 'a.txt', action: 'modified', toolId: 't1'})
    watched.hear({path: 'b.txt', action: 'created', toolId: 't2'})
    watched.hear({path: 'c.txt', action: 'deleted', toolId: 't3'})
    await watched.calm()
    const told = ['created b.txt by t2', 'deleted c.txt by t3', 'modified a.txt by t1']
    expect(watched.told()).toEqual(told)
    appendFileSync(at('a.txt'), 'y')
    write(at('b.txt'))
    unlinkSync(at('c.txt'))
    await watched.calm()
    expect(watched.told()).toEqual(told)
    appendFileSync(at('a.txt'), 'y')
    await watched.close()
    expect(watched.told()).toEqual([...told, 'modified a.txt'].toSorted())
  })

  test('the change of another tool is another change', async () => {
    write(at('a.txt'))
    const watched = await start()
    appendFileSync(at('a.txt'), 'y')
    await watched.calm()
    watched.hear({path: 'a.txt', action: 'modified', toolId: 't1'})
    await watched.calm()
    watched.hear({path: 'a.txt', action: 'modified', toolId: 't2'})
    await watched.calm()
    watched.hear({path: 'a.txt', action: 'modified', toolId: 't2'})
    await watched.close()
    expect(describeAll(watched.changes)).toEqual(['modified a.txt', 'modified a.txt by t2'])
  })

  test('a tool in a folder that is new', async () => {
    const watched = await start()
    write(at('a/b/c.txt'))
    watched.hear({path: at('a/b/c.txt'), action: 'created', toolId: 't1'})
    await watched.calm()
    expect(watched.told()).toEqual(['created a/b/c.txt by t1'])
  })

  test('a tool that removes a folder', async () => {
    write(at('a/b.txt'))
    const watched = await start()
    rmSync(at('a'), {recursive: true})
    watched.hear({path: 'a/b.txt', action: 'deleted', toolId: 't1'})
    await watched.calm()
    expect(watched.told()).toEqual(['deleted a/b.txt by t1'])
  })

  test('places that are ignored or outside are told, because the tool said so', async () => {
    write(at('root/.gitignore'), '*.log\n')
    const watched = await start({}, at('root'))
    write(at('root/a.log'), 'four')
    write(at('root/node_modules/b.js'))
    write(at('outside.txt'), 'seven..')
    watched.hear({path: 'a.log', action: 'created', toolId: 't1'})
    watched.hear({path: 'node_modules/b.js', action: 'modified', toolId: 't2'})
    watched.hear({path: at('outside.txt'), action: 'created', toolId: 't3'})
    watched.hear({path: '../gone.txt', action: 'deleted', toolId: 't4'})
    await watched.close()
    expect(describeAll(watched.changes)).toEqual([
      'created a.log by t1',
      'modified node_modules/b.js by t2',
      `created ${at('outside.txt')} by t3`,
      `deleted ${at('gone.txt')} by t4`,
    ])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([4, 1, 7, undefined])
  })

  test('however the path leads there', async () => {
    write(at('root/src/a.txt'))
    write(at('root/b.txt'))
    symlinkSync('root', at('link'))
    symlinkSync('src', at('root/inner'))
    symlinkSync('b.txt', at('root/alias.txt'))
    const watched = await start({}, at('link'))
    appendFileSync(at('root/src/a.txt'), 'y')
    watched.hear({path: at('link/src/a.txt'), action: 'modified', toolId: 't1'})
    watched.hear({path: at('root/inner/a.txt'), action: 'modified', toolId: 't1'})
    watched.hear({path: './src/../inner/a.txt', action: 'modified', toolId: 't1'})
    appendFileSync(at('root/b.txt'), 'y')
    watched.hear({path: 'alias.txt', action: 'modified', toolId: 't2'})
    write(at('root/src/c.txt'))
    watched.hear({path: at('link/inner/c.txt'), action: 'created', toolId: 't3'})
    await watched.close()
    expect(watched.told()).toEqual([
      'created src/c.txt by t3',
      'modified b.txt by t2',
      'modified src/a.txt by t1',
    ])
  })
})

test('leaves no timer that keeps the process alive after it is closed', async () => {
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  const watched = await start({since: Date.now()})
  await watched.close()
  expect(countTimers()).toBe(before)
})

describe('limits', () => {
  test('of folders and files are told once, and the rest is watched', async () => {
    for (let index = 0; index < 10; index++) write(at(`d${index}/a`))
    const watched = await start({maxFolders: 4})
    write(at('b'))
    await watched.calm()
    expect(watched.told()).toEqual(['created b'])
    expect(watched.limits).toEqual(['only 4 folders are watched: there are more (maxFolders)'])

    const other = await start({maxFiles: 3})
    expect(other.limits).toEqual(['only 3 files are watched: there are more (maxFiles)'])
    mkdirSync(at('d10'))
    write(at('d10/a'))
    await other.close()
    expect(other.limits).toHaveLength(1)
  })

  test.skipIf(!isLinux)('a folder that may not be read is told, and seen when it may', async () => {
    write(at('closed/a.txt'))
    write(at('open/b.txt'))
    chmodSync(folder, 0o777)
    chmodSync(at('open'), 0o777)
    chmodSync(at('closed'), 0o000)
    const isRoot = process.geteuid?.() === 0
    try {
      if (isRoot) process.seteuid?.(65_534)
      const watched = await start()
      write(at('open/c.txt'))
      await watched.calm()
      expect(watched.limits).toEqual(['the folder closed is not watched: it may not be read'])
      expect(watched.told()).toEqual(['created open/c.txt'])
    } finally {
      if (isRoot) process.seteuid?.(0)
      chmodSync(at('closed'), 0o700)
    }
  })

  test.skipIf(!isLinux)('names may hold anything', async () => {
    const bytes = (name: Buffer) => Buffer.concat([Buffer.from(`${folder}/`), name])
    const invalid = Buffer.from([0x63, 0x61, 0x66, 0xe9])
    const twin = Buffer.from([0x63, 0x61, 0x66, 0xe8])
    writeFileSync(bytes(invalid), 'x')
    const watched = await start()
    writeFileSync(bytes(twin), 'xyz')
    appendFileSync(bytes(invalid), 'y')
    mkdirSync(bytes(Buffer.from([0xff])))
    writeFileSync(bytes(Buffer.from([0xff, 0x2f, 0xfe])), '')
    write(at('new\nline'))
    write(at('é\u{1f600}'))
    write(at('n'.repeat(255)))
    write(at(' [*] ?!#\\ '))
    await watched.calm()
    expect(watched.told()).toEqual(
      [
        'created caf\ufffd',
        'modified caf\ufffd',
        'created \ufffd/\ufffd',
        'created new\nline',
        'created é\u{1f600}',
        `created ${'n'.repeat(255)}`,
        'created  [*] ?!#\\ ',
      ].toSorted(),
    )
    unlinkSync(bytes(twin))
    await watched.close()
    expect(watched.told()).toContain('deleted caf\ufffd')
  })

  test.skipIf(!isLinux)('all watches end on close, whenever that is', async () => {
    mkdirSync(at('.git/info'), {recursive: true})
    for (let index = 0; index < 50; index++) write(at(`d${index}/e/a`))
    const before = countWatches()
    const watched = await start()
    expect(countWatches() - before).toBe(102)
    renameSync(at('d0'), at('d50'))
    rmSync(at('d1'), {recursive: true})
    await watched.calm()
    expect(countWatches() - before).toBe(100)
    await watched.close()
    expect(countWatches()).toBe(before)
    const early = watchFiles(folder, {onChange: () => {}})
    await early.close()
    await early.ready
    expect(countWatches()).toBe(before)
  })

  test.skipIf(!isLinux)('a large tree takes few watches and never holds up the rest', async () => {
    for (let index = 0; index < 500; index++) {
      mkdirSync(at(`d${index}`))
      for (let file = 0; file < 40; file++) writeFileSync(at(`d${index}/f${file}`), '')
    }
    const before = countWatches()
    const delay = monitorEventLoopDelay({resolution: 1})
    const startedAt = performance.now()
    delay.enable()
    const watched = await start()
    delay.disable()
    const tookMs = performance.now() - startedAt
    expect(countWatches() - before).toBeLessThanOrEqual(502)
    // Were the walk one piece of work, the longest delay would be all of it.
    expect(delay.max / 1e6).toBeLessThan(Math.max(20, tookMs / 2))
    appendFileSync(at('d499/f39'), 'y')
    write(at('d250/new'))
    await watched.close()
    expect(watched.told()).toEqual(['created d250/new', 'modified d499/f39'])
  })
})

describe('recursive watching by the system', () => {
  test('tells the same', async () => {
    write(at('.gitignore'), '*.log\n')
    write(at('a/b/one.txt'))
    write(at('a/two.txt'))
    const watched = await start({recursive: true})
    appendFileSync(at('a/b/one.txt'), 'y')
    unlinkSync(at('a/two.txt'))
    write(at('a/b/c.log'))
    write(at('new/deep/three.txt'))
    await watched.calm()
    expect(watched.told()).toEqual([
      'created new/deep/three.txt',
      'deleted a/two.txt',
      'modified a/b/one.txt',
    ])
  })
})

describe('any operations', () => {
  test('give changes which lead from the first listing to the last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, {maxLength: 30}), async (operations) => {
        const root = mkdtempSync(join(folder, 'any-'))
        for (const path of ['a/a/a', 'a/b', 'b/a', 'c']) write(join(root, path))
        const files = new Set(listFiles(root))
        const watched = await start({settleMs: 5}, root)
        for (const one of operations) await operate(root, one)
        await watched.close()
        for (const {path, action, sizeBytes} of watched.changes) {
          expect([path, action, files.has(path)]).toEqual([path, action, action !== 'created'])
          expect(sizeBytes === undefined).toBe(action === 'deleted')
          if (action === 'deleted') files.delete(path)
          else files.add(path)
        }
        expect([...files].toSorted()).toEqual(listFiles(root))
      }),
      {numRuns: 60},
    )
  })
})

type Operation =
  | {type: 'write'; path: string}
  | {type: 'remove'; path: string}
  | {type: 'rename'; path: string; to: string}
  | {type: 'pause'; ms: number}

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), {minLength: 1, maxLength: 3})
  .map((names) => names.join('/'))
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {weight: 4, arbitrary: fc.record({type: fc.constant('write' as const), path})},
  {weight: 2, arbitrary: fc.record({type: fc.constant('remove' as const), path})},
  {weight: 2, arbitrary: fc.record({type: fc.constant('rename' as const), path, to: path})},
  {weight: 1, arbitrary: fc.record({type: fc.constant('pause' as const), ms: fc.nat(12)})},
)

/** Does what can be done; what cannot, such as a folder moved into itself, is left. */
async function operate(root: string, one: Operation): Promise<void> {
  try {
    if (one.type === 'pause') await sleep(one.ms)
    else if (one.type === 'write') write(join(root, one.path), String(Math.random()))
    else if (one.type === 'remove') rmSync(join(root, one.path), {recursive: true, force: true})
    else renameSync(join(root, one.path), join(root, one.to))
  } catch {
    // As above.
  }
}

function listFiles(root: string): string[] {
  return readdirSync(root, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}

/** How many places this process watches, as the system says. */
function countWatches(): number {
  const lines = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    const file = `/proc/self/fdinfo/${fd}`
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  })
  return lines.filter((line) => line.startsWith('inotify ')).length
}
