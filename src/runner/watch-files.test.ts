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
import {setTimeout as sleep} from 'node:timers/promises'
import fc from 'fast-check'
import {describe, test as baseTest} from 'vitest'
import {
  watchFiles,
  type FileWatcher,
  type WatchedChange,
  type WatchFilesOptions,
} from './watch-files.ts'

interface Watched extends FileWatcher {
  changes: WatchedChange[]
  limits: string[]
  /** The reported changes, as `created a/b`, sorted. */
  described(): string[]
  /** Waits until all changes so far are reported. */
  settled(): Promise<void>
}

/** A temporary folder and the watchers on it. */
interface Disk {
  folder: string
  /** Absolute path of a file in the folder. */
  at(path: string): string
  /** Watches the folder, or another one, from now on. */
  start(options?: Partial<WatchFilesOptions>, root?: string): Promise<Watched>
}

const isLinux = process.platform === 'linux'

/** A test with a folder of its own, which may run concurrently with others. */
const test = baseTest.extend<{disk: Disk}>({
  // Vitest reads the names of fixtures from the pattern.
  // oxlint-disable-next-line no-empty-pattern
  disk: async ({}, use) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-watch-')))
    const open: FileWatcher[] = []
    await use({
      folder,
      at: (path) => join(folder, path),
      start: (options = {}, root = folder) => watch(root, options, open),
    })
    await Promise.all(open.map((watcher) => watcher.close()))
    rmSync(folder, {recursive: true, force: true})
  },
})

async function watch(
  root: string,
  options: Partial<WatchFilesOptions>,
  open: FileWatcher[],
): Promise<Watched> {
  const changes: WatchedChange[] = []
  const limits: string[] = []
  const watcher = watchFiles(root, {
    onChange: (change) => changes.push(change),
    onLimit: (reason) => limits.push(reason),
    ...options,
  })
  open.push(watcher)
  await watcher.ready
  let markers = 0
  return {
    ...watcher,
    changes,
    limits,
    described: () => describeAll(changes).toSorted(),
    async settled() {
      // A marker may be reported before the files of a new folder, so wait for one without other changes.
      for (let before = -1; before !== changes.length;) {
        before = changes.length
        await sleep(20)
        const marker = `marker-${markers++}`
        const countMarkers = () => changes.filter(({path}) => path === marker).length
        write(join(root, marker))
        while (countMarkers() < 1) await sleep(5)
        unlinkSync(join(root, marker))
        while (countMarkers() < 2) await sleep(5)
        changes.splice(0, changes.length, ...changes.filter(({path}) => path !== marker))
      }
    },
  }
}

function describeAll(changes: readonly WatchedChange[]): string[] {
  return changes.map(({action, path, toolId}) =>
    [action, path, ...(toolId === undefined ? [] : [`by ${toolId}`])].join(' '),
  )
}

function write(path: string, text = 'x'): void {
  mkdirSync(dirname(path), {recursive: true})
  writeFileSync(path, text)
}

/** Longer than a change takes to settle. */
const SETTLE_MS = 150

describe.concurrent('a change on disk', () => {
  test('reports files that were created after `since` and before the watch started', async ({
    disk,
    expect,
  }) => {
    const {folder, start} = disk
    write(join(folder, 'old.txt'))
    mkdirSync(join(folder, 'old'))
    await sleep(50)
    const since = Date.now()
    await sleep(50)
    write(join(folder, 'new.txt'))
    mkdirSync(join(folder, 'new'))
    write(join(folder, 'new/inside.txt'))
    const watched = await start({since})
    await watched.settled()
    expect(watched.described()).toEqual(
      expect.arrayContaining(['created new.txt', 'created new/inside.txt']),
    )
    expect(watched.described().join()).not.toContain('old')
  })

  test('reports files created after `since` when it is closed at once', async ({disk, expect}) => {
    const {folder} = disk
    const since = Date.now()
    await sleep(50)
    write(join(folder, 'new.txt'))
    const changes: WatchedChange[] = []
    await watchFiles(folder, {since, onChange: (change) => changes.push(change)}).close()
    expect(describeAll(changes)).toEqual(['created new.txt'])
  })

  test('reports that a file is created, modified and deleted, with its new size', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    const watched = await start({now: () => 42})
    write(at('a.txt'), 'one')
    await watched.settled()
    appendFileSync(at('a.txt'), ' two')
    await watched.settled()
    unlinkSync(at('a.txt'))
    await watched.close()
    expect(watched.changes).toEqual([
      {path: 'a.txt', action: 'created', sizeBytes: 3, toolId: undefined, at: 42},
      {path: 'a.txt', action: 'modified', sizeBytes: 7, toolId: undefined, at: 42},
      {path: 'a.txt', action: 'deleted', sizeBytes: undefined, toolId: undefined, at: 42},
    ])
  })

  test('reports a change of a file that existed before', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('src/deep/a.ts'))
    const watched = await start()
    appendFileSync(at('src/deep/a.ts'), 'y')
    await watched.close()
    expect(watched.described()).toEqual(['modified src/deep/a.ts'])
  })

  test('reports several writes as one change', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a.txt'))
    // Longer than any pause between two writes on a busy machine.
    const watched = await start({debounceMs: 10_000})
    for (let round = 0; round < 20; round++) {
      appendFileSync(at('a.txt'), 'more')
      await sleep(5)
    }
    await watched.close()
    expect(watched.described()).toEqual(['modified a.txt'])
  })

  test('reports a file that is written continuously, but not every write', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('log.txt'))
    // Longer than a pause between two writes on a busy machine.
    const watched = await start({debounceMs: 900})
    let writes = 0
    while (watched.changes.length < 2) {
      appendFileSync(at('log.txt'), 'line\n')
      writes++
      await sleep(10)
    }
    expect(watched.described()).toEqual(['modified log.txt', 'modified log.txt'])
    expect(writes).toBeGreaterThan(20)
  })

  test('reports nothing for a file created and deleted at once, and a change for one deleted and recreated', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('back.txt'))
    const watched = await start({debounceMs: 10_000})
    write(at('gone.txt'))
    unlinkSync(at('gone.txt'))
    unlinkSync(at('back.txt'))
    await sleep(10)
    write(at('back.txt'), 'other')
    await watched.close()
    expect(watched.described()).toEqual(['modified back.txt'])
  })

  test('ignores changes of permissions and access times', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('known.txt'))
    write(at('looked-at.txt'))
    utimesSync(at('known.txt'), new Date(0), new Date(0))
    const watched = await start()
    appendFileSync(at('looked-at.txt'), 'y')
    await watched.settled()
    chmodSync(at('looked-at.txt'), 0o755)
    chmodSync(at('known.txt'), 0o755)
    readFileSync(at('known.txt'))
    await watched.settled()
    expect(watched.described()).toEqual(['modified looked-at.txt'])
  })

  test('reports a truncated file, and a file replaced by an older one, as modified', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('a.txt'))
    write(at('b.txt'))
    write(at('old.txt'))
    utimesSync(at('old.txt'), new Date(0), new Date(0))
    const watched = await start()
    truncateSync(at('a.txt'))
    renameSync(at('old.txt'), at('b.txt'))
    await watched.close()
    expect(watched.described()).toEqual(['deleted old.txt', 'modified a.txt', 'modified b.txt'])
    expect(watched.changes.find(({path}) => path === 'a.txt')?.sizeBytes).toBe(0)
  })

  test('reports a renamed file as deleted and created', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a.txt'))
    const watched = await start()
    renameSync(at('a.txt'), at('b.txt'))
    await watched.close()
    expect(watched.described()).toEqual(['created b.txt', 'deleted a.txt'])
  })

  test('reports a symbolic link as a file and does not follow it', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('outside/a.txt'))
    write(at('root/b.txt'))
    const watched = await start({}, at('root'))
    symlinkSync('../outside', at('root/link'))
    symlinkSync('nowhere', at('root/broken'))
    await watched.settled()
    appendFileSync(at('outside/a.txt'), 'y')
    appendFileSync(at('root/link/a.txt'), 'y')
    await watched.close()
    expect(watched.described()).toEqual(['created broken', 'created link'])
  })

  test('reports a file that becomes a folder, and a folder that becomes a file', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('a'))
    write(at('b/c'))
    const watched = await start()
    unlinkSync(at('a'))
    write(at('a/d'))
    rmSync(at('b'), {recursive: true})
    write(at('b'))
    await watched.settled()
    appendFileSync(at('a/d'), 'y')
    await watched.close()
    expect(watched.described()).toEqual([
      'created a/d',
      'created b',
      'deleted a',
      'deleted b/c',
      'modified a/d',
    ])
  })

  test('reports nothing when files are only read', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a/b/c.txt'))
    const watched = await start()
    readdirSync(at('a/b'))
    readFileSync(at('a/b/c.txt'))
    await watched.settled()
    expect(watched.changes).toEqual([])
  })
})

describe.concurrent('editors', () => {
  test('cause one change when they write a temporary file and rename it', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('a.txt'))
    const watched = await start()
    for (const text of ['one', 'two!']) {
      write(at('.a.txt.tmp'), text)
      renameSync(at('.a.txt.tmp'), at('a.txt'))
      await watched.settled()
    }
    expect(watched.described()).toEqual(['modified a.txt', 'modified a.txt'])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([3, 4])
  })

  test('cause one change when they rename the old file, write a new one and remove the old one', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('a.txt'))
    const watched = await start()
    write(at('4913'), '')
    unlinkSync(at('4913'))
    renameSync(at('a.txt'), at('a.txt~'))
    write(at('a.txt'), 'new')
    unlinkSync(at('a.txt~'))
    await watched.settled()
    expect(watched.described()).toEqual(['modified a.txt'])
  })

  test.skipIf(!isLinux)('cause one change, as with sed -i', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a.txt'), 'one\n')
    const watched = await start()
    const {status} = spawnSync('sed', ['-i', 's/one/three/', at('a.txt')])
    expect(status).toBe(0)
    await watched.settled()
    expect(watched.changes).toMatchObject([{path: 'a.txt', action: 'modified', sizeBytes: 6}])
  })
})

describe.concurrent('a watcher', () => {
  test('reports all files of new nested folders once', async ({disk, expect}) => {
    const {at, start} = disk
    const watched = await start()
    const expected: string[] = []
    for (let round = 0; round < 5; round++) {
      for (let index = 0; index < 40; index++) {
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
    expect(watched.described()).toEqual(expected.toSorted())
  })

  test('watches a new folder', async ({disk, expect}) => {
    const {at, start} = disk
    const watched = await start()
    write(at('a/b/one.txt'))
    await watched.settled()
    appendFileSync(at('a/b/one.txt'), 'y')
    write(at('a/two.txt'))
    await watched.settled()
    expect(watched.described()).toEqual([
      'created a/b/one.txt',
      'created a/two.txt',
      'modified a/b/one.txt',
    ])
  })

  test('reports the files of a renamed folder and watches its new path', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a/one.txt'))
    write(at('a/deep/two.txt'))
    const watched = await start()
    renameSync(at('a'), at('b'))
    await watched.settled()
    const renamed = ['created b/deep/two.txt', 'created b/one.txt']
    const gone = ['deleted a/deep/two.txt', 'deleted a/one.txt']
    expect(watched.described()).toEqual([...renamed, ...gone])
    appendFileSync(at('b/deep/two.txt'), 'y')
    await watched.close()
    expect(watched.described()).toEqual([...renamed, ...gone, 'modified b/deep/two.txt'])
  })

  test('reports the files of a removed folder', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a/one.txt'))
    write(at('a/deep/two.txt'))
    write(at('b.txt'))
    const watched = await start()
    rmSync(at('a'), {recursive: true})
    await watched.settled()
    expect(watched.described()).toEqual(['deleted a/deep/two.txt', 'deleted a/one.txt'])
  })

  test('compares a folder with the one that replaces it, and watches the new one', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('root/a/deep/same.txt'))
    write(at('root/a/gone.txt'))
    write(at('other/deep/same.txt'), 'z')
    write(at('other/new.txt'))
    const watched = await start({}, at('root'))
    renameSync(at('root/a'), at('aside'))
    renameSync(at('other'), at('root/a'))
    const replaced = ['created a/new.txt', 'deleted a/gone.txt', 'modified a/deep/same.txt']
    // The marker of settled() may be reported before the new folder is read.
    await expect.poll(watched.described).toEqual(replaced)
    await watched.settled()
    expect(watched.described()).toEqual(replaced)
    appendFileSync(at('aside/deep/same.txt'), 'not ours')
    appendFileSync(at('root/a/deep/same.txt'), 'ours')
    await watched.close()
    expect(watched.described()).toEqual([...replaced, 'modified a/deep/same.txt'])
  })

  test('reports its files as deleted when the root is removed', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('root/a.txt'))
    write(at('root/b/c.txt'))
    const watched = await start({}, at('root'))
    rmSync(at('root'), {recursive: true})
    await expect.poll(() => watched.limits, {timeout: 10_000}).toHaveLength(1)
    await watched.close()
    expect(watched.described()).toEqual(['deleted a.txt', 'deleted b/c.txt'])
    expect(watched.limits).toEqual([
      'the working directory was removed: file changes are no longer reported',
    ])
  })

  test('reports its files as deleted when the root is moved', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('root/a.txt'))
    const watched = await start({}, at('root'))
    renameSync(at('root'), at('elsewhere'))
    await expect.poll(() => watched.limits, {timeout: 10_000}).toHaveLength(1)
    appendFileSync(at('elsewhere/a.txt'), 'y')
    await sleep(SETTLE_MS)
    expect(watched.described()).toEqual(['deleted a.txt'])
  })

  test('reports a root that does not exist', async ({disk, expect}) => {
    const {at, start} = disk
    const watched = await start({}, at('nowhere'))
    watched.addToolChange({path: 'a.txt', action: 'deleted', toolId: 't1'})
    await watched.close()
    expect(watched.limits).toEqual([
      'the working directory was removed: file changes are no longer reported',
    ])
    expect(watched.described()).toEqual(['deleted a.txt by t1'])
  })
})

describe.concurrent('the set of ignored paths', () => {
  test('includes .git, node_modules and all matches of .gitignore files, at every level and above the root', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
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
    const reported = ['sub/keep.log', 'sub/only-here', 'sub/dist/out.js', 'sub/build/kept', 'b.txt']
    for (const path of reported) write(at(`root/${path}`))
    await watched.settled()
    expect(watched.described()).toEqual(reported.map((path) => `created ${path}`).toSorted())
  })

  test('includes folders given by the caller', async ({disk, expect}) => {
    const {folder, start} = disk
    mkdirSync(join(folder, 'data', 'runs'), {recursive: true})
    const watched = await start({exclude: [join(folder, 'data')]})
    write(join(folder, 'data', 'runs', 'stdout'))
    write(join(folder, 'data', 'token'))
    write(join(folder, 'seen'))
    await watched.settled()
    expect(watched.described()).toEqual(['created seen'])
  })

  test('includes matches of .gitignore files outside of a repository, but not of those above the root', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('.gitignore'), '*.txt\n')
    write(at('root/.gitignore'), '*.log\n')
    const watched = await start({}, at('root'))
    write(at('root/a.log'))
    write(at('root/a.txt'))
    write(at('root/node_modules/a.txt'))
    await watched.settled()
    expect(watched.described()).toEqual(['created a.txt'])
  })

  test('follows a change of the rules without reporting files', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('.gitignore'), '*.log\ncache/\n')
    write(at('a.log'))
    write(at('cache/deep/b.txt'))
    write(at('c.tmp'))
    write(at('sub/d.tmp'))
    const watched = await start()
    write(at('.gitignore'), '*.tmp\n')
    await watched.settled()
    expect(watched.described()).toEqual(['modified .gitignore'])
    for (const path of ['a.log', 'cache/deep/b.txt', 'c.tmp', 'sub/d.tmp']) {
      appendFileSync(at(path), 'y')
    }
    write(at('sub/new.log'))
    await watched.settled()
    const now = [
      'created sub/new.log',
      'modified .gitignore',
      'modified a.log',
      'modified cache/deep/b.txt',
    ]
    expect(watched.described()).toEqual(now)
    unlinkSync(at('.gitignore'))
    await watched.settled()
    appendFileSync(at('sub/d.tmp'), 'y')
    await watched.close()
    expect(watched.described()).toEqual(
      [...now, 'deleted .gitignore', 'modified sub/d.tmp'].toSorted(),
    )
  })

  test('follows a change of rules above the root', async ({disk, expect}) => {
    const {at, start} = disk
    mkdirSync(at('.git/info'), {recursive: true})
    write(at('root/sub/a.log'))
    const watched = await start({}, at('root'))
    write(at('.git/info/exclude'), '*.log\n')
    write(at('.gitignore'), '*.tmp\n')
    await watched.settled()
    appendFileSync(at('root/sub/a.log'), 'y')
    write(at('root/sub/b.tmp'))
    write(at('root/c.txt'))
    await watched.close()
    expect(watched.described()).toEqual(['created c.txt'])
  })
})

describe.concurrent('a change that a tool reports', () => {
  test('is merged with an earlier change on disk', async ({disk, expect}) => {
    const {at, start} = disk
    const watched = await start()
    write(at('a.txt'))
    await watched.settled()
    watched.addToolChange({path: 'a.txt', action: 'created', toolId: 't1'})
    await watched.close()
    expect(watched.described()).toEqual(['created a.txt'])
  })

  test('is merged with a simultaneous change on disk and has the id of the tool', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('b.txt'))
    const watched = await start()
    write(at('a.txt'))
    watched.addToolChange({path: 'a.txt', action: 'created', toolId: 't1'})
    watched.addToolChange({path: at('b.txt'), action: 'modified', toolId: 't2'})
    appendFileSync(at('b.txt'), 'y')
    await watched.settled()
    expect(watched.described()).toEqual(['created a.txt by t1', 'modified b.txt by t2'])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([1, 2])
  })

  test('is merged with a later change on disk and has the id of the tool', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    write(at('a.txt'))
    write(at('c.txt'))
    const watched = await start()
    watched.addToolChange({path: 'a.txt', action: 'modified', toolId: 't1'})
    watched.addToolChange({path: 'b.txt', action: 'created', toolId: 't2'})
    watched.addToolChange({path: 'c.txt', action: 'deleted', toolId: 't3'})
    await watched.settled()
    const reported = ['created b.txt by t2', 'deleted c.txt by t3', 'modified a.txt by t1']
    expect(watched.described()).toEqual(reported)
    appendFileSync(at('a.txt'), 'y')
    write(at('b.txt'))
    unlinkSync(at('c.txt'))
    await watched.settled()
    expect(watched.described()).toEqual(reported)
    appendFileSync(at('a.txt'), 'y')
    await watched.close()
    expect(watched.described()).toEqual([...reported, 'modified a.txt'].toSorted())
  })

  test('is published again for a second tool', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a.txt'))
    const watched = await start()
    appendFileSync(at('a.txt'), 'y')
    await watched.settled()
    watched.addToolChange({path: 'a.txt', action: 'modified', toolId: 't1'})
    await watched.settled()
    watched.addToolChange({path: 'a.txt', action: 'modified', toolId: 't2'})
    await watched.settled()
    watched.addToolChange({path: 'a.txt', action: 'modified', toolId: 't2'})
    await watched.close()
    expect(describeAll(watched.changes)).toEqual(['modified a.txt', 'modified a.txt by t2'])
  })

  test('has the id of the tool in a new folder', async ({disk, expect}) => {
    const {at, start} = disk
    const watched = await start()
    write(at('a/b/c.txt'))
    watched.addToolChange({path: at('a/b/c.txt'), action: 'created', toolId: 't1'})
    await watched.settled()
    expect(watched.described()).toEqual(['created a/b/c.txt by t1'])
  })

  test('has the id of the tool in a removed folder', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('a/b.txt'))
    const watched = await start()
    rmSync(at('a'), {recursive: true})
    watched.addToolChange({path: 'a/b.txt', action: 'deleted', toolId: 't1'})
    await watched.settled()
    expect(watched.described()).toEqual(['deleted a/b.txt by t1'])
  })

  test('is published for ignored paths and paths outside of the root', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('root/.gitignore'), '*.log\n')
    const watched = await start({}, at('root'))
    write(at('root/a.log'), 'four')
    write(at('root/node_modules/b.js'))
    write(at('outside.txt'), 'seven..')
    watched.addToolChange({path: 'a.log', action: 'created', toolId: 't1'})
    watched.addToolChange({path: 'node_modules/b.js', action: 'modified', toolId: 't2'})
    watched.addToolChange({path: at('outside.txt'), action: 'created', toolId: 't3'})
    watched.addToolChange({path: '../gone.txt', action: 'deleted', toolId: 't4'})
    await watched.close()
    expect(describeAll(watched.changes)).toEqual([
      'created a.log by t1',
      'modified node_modules/b.js by t2',
      `created ${at('outside.txt')} by t3`,
      `deleted ${at('gone.txt')} by t4`,
    ])
    expect(watched.changes.map(({sizeBytes}) => sizeBytes)).toEqual([4, 1, 7, undefined])
  })

  test('is matched through symbolic links and relative paths', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('root/src/a.txt'))
    write(at('root/b.txt'))
    symlinkSync('root', at('link'))
    symlinkSync('src', at('root/inner'))
    symlinkSync('b.txt', at('root/alias.txt'))
    const watched = await start({}, at('link'))
    appendFileSync(at('root/src/a.txt'), 'y')
    watched.addToolChange({path: at('link/src/a.txt'), action: 'modified', toolId: 't1'})
    watched.addToolChange({path: at('root/inner/a.txt'), action: 'modified', toolId: 't1'})
    watched.addToolChange({path: './src/../inner/a.txt', action: 'modified', toolId: 't1'})
    appendFileSync(at('root/b.txt'), 'y')
    watched.addToolChange({path: 'alias.txt', action: 'modified', toolId: 't2'})
    write(at('root/src/c.txt'))
    watched.addToolChange({path: at('link/inner/c.txt'), action: 'created', toolId: 't3'})
    await watched.close()
    expect(watched.described()).toEqual([
      'created src/c.txt by t3',
      'modified b.txt by t2',
      'modified src/a.txt by t1',
    ])
  })
})

test('leaves no timer that keeps the process alive after it is closed', async ({disk, expect}) => {
  const {start} = disk
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  const watched = await start({since: Date.now()})
  await watched.close()
  // A timer of the test runner may end meanwhile.
  expect(countTimers()).toBeLessThanOrEqual(before)
})

describe('limits', () => {
  test.skipIf(!isLinux)(
    'do not count ignored folders, which take no watches',
    async ({disk, expect}) => {
      const {at, start} = disk
      write(at('.gitignore'), 'target/\n')
      for (const path of ['target', 'node_modules', '.git']) {
        for (let index = 0; index < 20; index++) write(at(`${path}/${index}/a`))
      }
      write(at('src/a'))
      const before = countWatches()
      await start()
      // The root, src, and the folder of .git/info/exclude if there were one.
      expect(countWatches() - before).toBe(2)
    },
  )

  test('on folders and files are reported once, and the rest is watched', async ({
    disk,
    expect,
  }) => {
    const {at, start} = disk
    for (let index = 0; index < 10; index++) write(at(`d${index}/a`))
    const watched = await start({maxFolders: 4})
    write(at('b'))
    await watched.settled()
    expect(watched.described()).toEqual(['created b'])
    expect(watched.limits).toEqual([
      'only 4 directories are watched for changes; there are more (maxFolders)',
    ])

    const other = await start({maxFiles: 3})
    expect(other.limits).toEqual([
      'only 3 files are watched for changes; there are more (maxFiles)',
    ])
    mkdirSync(at('d10'))
    write(at('d10/a'))
    await other.close()
    expect(other.limits).toHaveLength(1)
  })

  test.skipIf(!isLinux)(
    'include a folder without read permission, which is reported',
    async ({disk, expect}) => {
      const {folder, at, start} = disk
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
        await watched.settled()
        expect(watched.limits).toEqual([
          'the directory closed is not watched for changes: permission denied',
        ])
        expect(watched.described()).toEqual(['created open/c.txt'])
      } finally {
        if (isRoot) process.seteuid?.(0)
        chmodSync(at('closed'), 0o700)
      }
    },
  )

  test.skipIf(!isLinux)('do not include special characters in names', async ({disk, expect}) => {
    const {folder, at, start} = disk
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
    await watched.settled()
    expect(watched.described()).toEqual(
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
    expect(watched.described()).toContain('deleted caf\ufffd')
  })

  test.skipIf(!isLinux)('do not leak: all watches end on close', async ({disk, expect}) => {
    const {folder, at, start} = disk
    mkdirSync(at('.git/info'), {recursive: true})
    for (let index = 0; index < 50; index++) write(at(`d${index}/e/a`))
    const before = countWatches()
    const watched = await start()
    expect(countWatches() - before).toBe(102)
    renameSync(at('d0'), at('d50'))
    rmSync(at('d1'), {recursive: true})
    await watched.settled()
    expect(countWatches() - before).toBe(100)
    await watched.close()
    expect(countWatches()).toBe(before)
    const early = watchFiles(folder, {onChange: () => {}})
    await early.close()
    await early.ready
    expect(countWatches()).toBe(before)
  })

  // A large tree: test/slow/run-watch.test.ts.
  test.skipIf(!isLinux)('allow a tree one watch per folder', async ({disk, expect}) => {
    const {at, start} = disk
    for (let index = 0; index < 50; index++) {
      mkdirSync(at(`d${index}`))
      for (let file = 0; file < 10; file++) writeFileSync(at(`d${index}/f${file}`), '')
    }
    const before = countWatches()
    const watched = await start()
    expect(countWatches() - before).toBeLessThanOrEqual(52)
    appendFileSync(at('d49/f9'), 'y')
    write(at('d25/new'))
    await watched.close()
    expect(watched.described()).toEqual(['created d25/new', 'modified d49/f9'])
  })
})

describe('recursive watching by the system', () => {
  test('reports the same changes', async ({disk, expect}) => {
    const {at, start} = disk
    write(at('.gitignore'), '*.log\n')
    write(at('a/b/one.txt'))
    write(at('a/two.txt'))
    const watched = await start({recursive: true})
    appendFileSync(at('a/b/one.txt'), 'y')
    unlinkSync(at('a/two.txt'))
    write(at('a/b/c.log'))
    write(at('new/deep/three.txt'))
    await watched.settled()
    expect(watched.described()).toEqual([
      'created new/deep/three.txt',
      'deleted a/two.txt',
      'modified a/b/one.txt',
    ])
  })
})

describe('random operations', () => {
  test('produce changes that lead from the first listing to the last', async ({disk, expect}) => {
    const {folder, start} = disk
    await fc.assert(
      fc.asyncProperty(fc.array(operation, {maxLength: 30}), async (operations) => {
        const root = mkdtempSync(join(folder, 'any-'))
        for (const path of ['a/a/a', 'a/b', 'b/a', 'c']) write(join(root, path))
        const files = new Set(listFiles(root))
        const watched = await start({debounceMs: 5}, root)
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

/** Performs an operation; impossible ones, such as moving a folder into itself, are skipped. */
async function operate(root: string, one: Operation): Promise<void> {
  try {
    if (one.type === 'pause') await sleep(one.ms)
    else if (one.type === 'write') write(join(root, one.path), String(Math.random()))
    else if (one.type === 'remove') rmSync(join(root, one.path), {recursive: true, force: true})
    else renameSync(join(root, one.path), join(root, one.to))
  } catch {
    // The operation is impossible.
  }
}

function listFiles(root: string): string[] {
  return readdirSync(root, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}

/** Number of inotify watches of this process. */
function countWatches(): number {
  const lines = readdirSync('/proc/self/fdinfo').flatMap((fd) => {
    const file = `/proc/self/fdinfo/${fd}`
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  })
  return lines.filter((line) => line.startsWith('inotify ')).length
}

describe.concurrent('while another run is active in the folder', () => {
  const isContested = () => true
  const uncertainOf = (changes: WatchedChange[]) =>
    changes.map((change) => [change.path, change.toolId, change.isUncertain === true])

  test('marks a change that no tool reports as uncertain', async ({disk, expect}) => {
    const watcher = await disk.start({isContested})
    writeFileSync(disk.at('a'), 'x')
    await watcher.settled()
    expect(uncertainOf(watcher.changes)).toEqual([['a', undefined, true]])
  })

  test('marks a change that a tool of the run reports as certain', async ({disk, expect}) => {
    const watcher = await disk.start({isContested})
    writeFileSync(disk.at('a'), 'x')
    watcher.addToolChange({path: disk.at('a'), action: 'created', toolId: 't'})
    await watcher.settled()
    expect(uncertainOf(watcher.changes)).toEqual([['a', 't', false]])
  })

  test('marks a change as certain when a tool of the run reports it later', async ({
    disk,
    expect,
  }) => {
    const watcher = await disk.start({isContested})
    writeFileSync(disk.at('a'), 'x')
    await watcher.settled()
    watcher.addToolChange({path: disk.at('a'), action: 'created', toolId: 't'})
    watcher.addToolChange({path: disk.at('a'), action: 'created', toolId: 't'})
    await watcher.settled()
    expect(uncertainOf(watcher.changes)).toEqual([
      ['a', undefined, true],
      ['a', 't', false],
    ])
  })
})
