import {execFileSync, spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {readOuterRules, readRules, type IgnoreRules} from './ignore-rules.ts'

let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'vitrine-ignore-')))
})

afterEach(() => {
  rmSync(folder, {recursive: true, force: true})
})

function at(path: string): string {
  return join(folder, path)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(at(path)), {recursive: true})
  writeFileSync(at(path), text)
}

describe('rules above a folder', () => {
  test('include all folders up to the top of the repository, and its exclude file', async () => {
    write('.gitignore', '*.above')
    write('top/.git/info/exclude', '*.private')
    write('top/.gitignore', '*.log\n/sub/root/anchored\n')
    write('top/sub/.gitignore', '!kept.log\n')
    write('top/sub/root/.gitignore', '*.own')
    const {rules, folders} = await readOuterRules(at('top/sub/root'))
    const paths = ['a.above', 'a.private', 'b/a.log', 'kept.log', 'anchored', 'b/anchored', 'a.own']
    expect(paths.filter((path) => rules.ignores(path))).toEqual([
      'a.private',
      'b/a.log',
      'anchored',
    ])
    expect(folders).toEqual([at('top/.git/info'), at('top'), at('top/sub')])
  })

  test('are empty without a repository', async () => {
    write('.gitignore', '*.log')
    write('root/a', '')
    const {rules, folders} = await readOuterRules(at('root'))
    expect(rules.ignores('a.log')).toBe(false)
    expect(folders).toEqual([])
  })

  test('do not hide the folder that is watched', async () => {
    write('.git/info/exclude', '')
    write('.gitignore', 'trees/\n')
    mkdirSync(at('trees/one'), {recursive: true})
    const {rules} = await readOuterRules(at('trees/one'))
    expect(rules.ignores('a.txt')).toBe(false)
  })

  test('are also found from a worktree', async () => {
    write('main/.git/info/exclude', '*.private')
    write('main/.git/worktrees/one/commondir', '../..\n')
    write('one/.git', `gitdir: ${at('main/.git/worktrees/one')}\n`)
    const {rules} = await readOuterRules(at('one'))
    expect(rules.ignores('a.private')).toBe(true)
  })
})

describe('a file of rules', () => {
  test('is read if it is a regular file', async () => {
    write('rules', 'a\nb\n')
    symlinkSync('rules', at('link'))
    expect(await readRules(at('rules'))).toBe('a\nb\n')
    expect(await readRules(at('link'))).toBe('')
    expect(await readRules(at('nowhere'))).toBe('')
    expect(await readRules(folder)).toBe('')
  })

  test.skipIf(process.platform === 'win32')('does not block when it is a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')])
    expect(await readRules(at('pipe'))).toBe('')
  })
})

describe('rules within folders', () => {
  test('take precedence over those above, which still apply', async () => {
    const {rules} = await readOuterRules(folder)
    const top = rules.within('', '*.log\nbuild/\n# comment\n\n\\#hash\ntrailing  \n')
    const inner = top.within('a [b]*', '!*.log\n/here\nmid/dle\n!build/\n')
    expect(
      ['x.log', 'build/', 'build', '#hash', '# comment', 'trailing'].map((path) =>
        top.ignores(path),
      ),
    ).toEqual([true, true, false, true, false, true])
    expect(
      ['x.log', 'here', 'y/here', 'mid/dle', 'y/mid/dle', 'build/', 'build/x'].map((path) =>
        inner.ignores(`a [b]*/${path}`),
      ),
    ).toEqual([false, true, false, true, false, false, false])
    expect(inner.ignores('ab/here')).toBe(false)
  })

  test('ignore invalid patterns', async () => {
    const {rules} = await readOuterRules(folder)
    const odd = rules.within('', '[\n\\\n/\n!\n[z-a]\n\0\n***\\\n')
    expect(odd.ignores('a')).toBe(false)
    expect(odd.ignores('')).toBe(false)
  })

  test.skipIf(spawnSync('git', ['--version']).status !== 0)(
    'match the same paths as git',
    async () => {
      spawnSync('git', ['init', '-q', folder])
      const files = ['b.c', 'a/a', 'a/b.c', 'a/d/a', 'a/d/b.c', 'd/a/b.c', 'd/d/d']
      for (const file of files) write(`x/${file}`, '')
      const paths = [...['a', 'a/d', 'd', 'd/a', 'd/d'].map((name) => `${name}/`), ...files]
      const property = fc.asyncProperty(gitignore, gitignore, gitignore, async (top, a, d) => {
        write('.gitignore', top)
        write('x/.gitignore', a)
        write('x/d/.gitignore', d)
        const all = paths.map((path) => `x/${path}`)
        const {rules} = await readOuterRules(folder)
        const first = rules.within('', top)
        const second = first.within('x', a)
        const levels: [string, IgnoreRules][] = [
          ['x/d/', second.within('x/d', d)],
          ['x/', second],
          ['', first],
        ]
        const ours = all.filter((path) => isIgnoredFrom(path, levels))
        // With a trailing slash git would match the content of the folder.
        expect(ours.map((path) => path.replace(/\/$/, ''))).toEqual(askGit(all))
      })
      await fc.assert(property, {numRuns: 60})
    },
  )
})

const pattern = fc
  .tuple(
    fc.constantFrom('', '!', '/', '!/'),
    fc.array(fc.constantFrom('a', 'd', '*', '**', 'b.c', '*.c', '?', 'x'), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.constantFrom('', '/', ' '),
  )
  .map(([start, parts, end]) => start + parts.join('/') + end)
const gitignore = fc.array(pattern, {maxLength: 4}).map((lines) => lines.join('\n'))

/** Like a scan, does not check the content of an ignored folder. */
function isIgnoredFrom(path: string, levels: readonly [string, IgnoreRules][]): boolean {
  const parts = path.replace(/\/$/, '').split('/')
  return parts.some((_part, index) => {
    const isLast = index === parts.length - 1
    const part = isLast ? path : `${parts.slice(0, index + 1).join('/')}/`
    const rules = levels.find(([start]) => part.startsWith(start) && part !== start)?.[1]
    return rules?.ignores(part)
  })
}

function askGit(paths: readonly string[]): string[] {
  const {stdout} = spawnSync('git', ['check-ignore', '--no-index', '--stdin'], {
    cwd: folder,
    input: paths.map((path) => path.replace(/\/$/, '')).join('\n'),
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line !== '')
}
