import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import packageJson from '../../package.json' with {type: 'json'}
import {hook} from '../../src/cli/commands/hook.ts'
import {run} from '../../src/cli/commands/run.ts'
import {view} from '../../src/cli/commands/view.ts'
import {ROUTES} from '../../src/hub/protocol/routes.ts'
import {isDeclared, isExported} from '../support/public-names.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = read('docs/seeds.md')
const commands = [hook, run, view]

/** The files that link labels refer to. */
const files = new Map(
  [...page.matchAll(/^\[([^\]]+)\]: \.\.\/(\S+)$/gm)].map(([, label = '', path = '']) => [
    label,
    path,
  ]),
)

interface Entry {
  id: string
  requirement: string
  implementation: string
  evidence: string
}

/** Without the line breaks inside of a paragraph or list item. */
const unwrapped = page.replaceAll(/\n +(?! |- )/g, ' ')

const entries: Entry[] = [
  ...unwrapped.matchAll(
    /^- \*\*([A-E]\d+)\*\* \([^)]+\): (.+)\n {2}- Code: (.+)\n {2}- Tests: (.+)$/gm,
  ),
].map(([, id = '', requirement = '', implementation = '', evidence = '']) => {
  return {id, requirement, implementation, evidence}
})

describe('the requirements matrix', () => {
  test('numbers the requirements of each document without gaps', () => {
    const counts = new Map<string, number>()
    for (const {id} of entries) {
      const [letter = ''] = id
      const count = (counts.get(letter) ?? 0) + 1
      counts.set(letter, count)
      expect(id).toBe(`${letter}${count}`)
    }
    expect([...counts.keys()].join('')).toBe('ABCDE')
    expect(page.match(/^## /gm)).toHaveLength(counts.size + 1)
    // Each entry has the expected form.
    expect(page.match(/^- \*\*[A-E]\d/gm)).toHaveLength(entries.length)
  })

  test('links only to files that exist, and uses every link definition', () => {
    expect([...files.values()].filter((path) => !existsSync(join(root, path)))).toEqual([])
    const used = new Set(
      entries.flatMap(({implementation, evidence}) => listLabels(`${implementation} ${evidence}`)),
    )
    expect([...used].toSorted()).toEqual([...files.keys()].toSorted())
    const others = [...page.matchAll(/\]\((?!#)([^)]+)\)/g)].map(([, path = '']) => path)
    expect(others.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  })

  test('explains each ruling that a requirement names, and no other', () => {
    const used = entries.flatMap(({requirement}) => requirement.match(/\bR\d+\b/g) ?? [])
    const explained = [...page.matchAll(/^- \*\*(R\d+)\*\*: /gm)].map(([, id = '']) => id)
    expect([...new Set(used)].toSorted()).toEqual(explained.toSorted())
  })

  test('has only lines under 120 characters', () => {
    expect(page.split('\n').filter((line) => [...line].length >= 120)).toEqual([])
  })

  test('contains no absolute path of a machine', () => {
    expect(page).not.toMatch(/(?:^|[\s(`])\/(?:home|work|tmp|root|Users)\//m)
  })

  test.each(entries)('names tests that exist: $id', ({requirement, evidence}) => {
    const cited = listCitations(evidence)
    expect(cited.filter(({path, title}) => !hasTest(path, title))).toEqual([])
    const isExempt =
      requirement.startsWith('Not applicable: ') || evidence.includes('[vitest.config.ts]')
    expect(isExempt || cited.length > 0).toBe(true)
    // A file without the name of a test proves nothing.
    const bare = listLabels(evidence).filter((label) => !cited.some((each) => each.label === label))
    expect(bare.length === 0 || isExempt).toBe(true)
  })

  test.each(entries.map(({id, implementation}) => [id, implementation]))(
    'names only exports, commands, scripts and routes that exist: %s',
    (_, implementation) => {
      expect(listLabels(implementation)).not.toEqual([])
      const names = [...implementation.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
      const paths = listLabels(implementation).map((label) => files.get(label) ?? '')
      expect(names.filter((name) => !isKnown(name, paths))).toEqual([])
    },
  )
})

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function listLabels(text: string): string[] {
  return [...text.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label)
}

/** Lists the cited tests: each title belongs to the file named before it. */
function listCitations(text: string): {label: string; path: string; title: string}[] {
  return text.split(/(?=\[[^\]]+\])/).flatMap((part) => {
    const [label = ''] = listLabels(part)
    const path = files.get(label) ?? ''
    return [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({label, path, title}))
  })
}

/** Whether a file has a test with this exact title. */
function hasTest(path: string, title: string): boolean {
  if (!path.endsWith('.test.ts')) return false
  const words = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(`\\(\\s*(['"\`])${words}\\1`).test(read(path))
}

/** Whether a name is exported or declared in one of the files, or is a command with its options, a script or a route. */
function isKnown(name: string, paths: readonly string[]): boolean {
  const [first = '', second = '', ...options] = name.split(' ')
  if (first === 'npm') return Object.hasOwn(packageJson.scripts, options[0] ?? '')
  if (first === 'vitrine') {
    const command = commands.find((known) => known.name() === second)
    if (command === undefined) return false
    return options.every((option) =>
      command.options.some(({short, long}) => option === short || option === long),
    )
  }
  if (/^[A-Z]+ \//.test(name)) {
    return ROUTES.some(({method, path}) => `${method} ${path}` === name)
  }
  return isExported(name) || paths.some((path) => isDeclared(path, name))
}
