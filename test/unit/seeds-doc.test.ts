import {existsSync, readFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {hook} from '../../src/cli/commands/hook.ts'
import {run} from '../../src/cli/commands/run.ts'
import {view} from '../../src/cli/commands/view.ts'
import {ROUTES} from '../../src/hub/http/routes.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = read('docs/seeds.md')
const commands = [hook, run, view]

/** The files that labels lead to, by label. */
const files = new Map(
  [...page.matchAll(/^\[([^\]]+)\]: \.\.\/(\S+)$/gm)].map(([, label = '', path = '']) => [
    label,
    path,
  ]),
)

interface Row {
  id: string
  demand: string
  lives: string
  held: string
}

const rows: Row[] = [...page.matchAll(/^\| ([A-E]\d+) \|(.*)\|$/gm)].map(
  ([, id = '', rest = '']) => {
    const [, demand = '', lives = '', held = ''] = rest.split('|').map((cell) => cell.trim())
    return {id, demand, lives, held}
  },
)

describe('the page about what was asked for', () => {
  test('has every row of every document, in order', () => {
    const counts = new Map<string, number>()
    for (const {id} of rows) {
      const [letter = ''] = id
      const count = (counts.get(letter) ?? 0) + 1
      counts.set(letter, count)
      expect(id).toBe(`${letter}${count}`)
    }
    expect([...counts.keys()].join('')).toBe('ABCDE')
    expect(page.match(/^## /gm)).toHaveLength(counts.size + 1)
  })

  test('leads to files that are there, and lists no other', () => {
    expect([...files.values()].filter((path) => !existsSync(join(root, path)))).toEqual([])
    const told = new Set(rows.flatMap(({lives, held}) => labelsIn(`${lives} ${held}`)))
    expect([...told].toSorted()).toEqual([...files.keys()].toSorted())
    const others = [...page.matchAll(/\]\((?!#)([^)]+)\)/g)].map(([, path = '']) => path)
    expect(others.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  })

  test('has a reason for each ruling, and a use for each reason', () => {
    const used = rows.flatMap(({demand}) => demand.match(/\bR\d+\b/g) ?? [])
    const told = [...page.matchAll(/^\| (R\d+) \|[^|]+\|[^|]+\|$/gm)].map(([, id = '']) => id)
    expect([...new Set(used)].toSorted()).toEqual(told.toSorted())
  })

  test('names no place on a machine', () => {
    expect(page).not.toMatch(/(?:^|[\s(`])\/(?:home|work|tmp|root|Users)\//m)
  })

  test.each(rows)('is held by tests that are there: $id', ({demand, held}) => {
    const cited = citationsIn(held)
    expect(cited.filter(({path, title}) => !hasTest(path, title))).toEqual([])
    const isExempt = demand.startsWith('Not applicable: ') || held.includes('[vitest.config.ts]')
    expect(isExempt || cited.length > 0).toBe(true)
    // A file without the name of a test would hold anything.
    const bare = labelsIn(held).filter((label) => !cited.some((each) => each.label === label))
    expect(bare.length === 0 || isExempt).toBe(true)
  })

  test.each(rows.map(({id, lives}) => [id, lives]))('names only what is there: %s', (_, lives) => {
    expect(labelsIn(lives)).not.toEqual([])
    const names = [...lives.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const paths = labelsIn(lives).map((label) => files.get(label) ?? '')
    expect(names.filter((name) => !isThere(name, paths))).toEqual([])
  })
})

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function labelsIn(cell: string): string[] {
  return [...cell.matchAll(/\[([^\]]+)\]/g)].map(([, label = '']) => label)
}

/** The tests in a cell: each title is of the file that was named last. */
function citationsIn(cell: string): {label: string; path: string; title: string}[] {
  return cell.split(/(?=\[[^\]]+\])/).flatMap((part) => {
    const [label = ''] = labelsIn(part)
    const path = files.get(label) ?? ''
    return [...part.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({label, path, title}))
  })
}

/** Whether a file calls a test that: the title is all of what is given to `test`, `it` or the function of `each`. */
function hasTest(path: string, title: string): boolean {
  if (!path.endsWith('.test.ts')) return false
  const words = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(`\\(\\s*(['"\`])${words}\\1`).test(read(path))
}

/** Whether a name is exported, or declared in one of the files, with its field; or a command with its options, a script, a route. */
function isThere(name: string, paths: string[]): boolean {
  const [first = '', second = '', ...options] = name.split(' ')
  if (first === 'npm') return hasScript(options[0] ?? '')
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
  const [type = '', field] = name.split('.')
  const local = paths.filter((path) => path.endsWith('.ts'))
  const declared = local.flatMap((path) => findDeclaration(path, type) ?? [])
  return [...declarationsOf(type), ...declared].some(
    (body) => field === undefined || new RegExp(`\\b${field}\\b`).test(body),
  )
}

function hasScript(name: string): boolean {
  const {scripts} = JSON.parse(read('package.json')) as {scripts: Record<string, string>}
  return Object.hasOwn(scripts, name)
}

/** What is declared under a name that the package exports. */
function declarationsOf(name: string): string[] {
  const {exports} = JSON.parse(read('package.json')) as {exports: Record<string, string>}
  const entries = Object.values(exports).filter((path) => path.endsWith('.js'))
  return entries.flatMap((path) => {
    const source = path.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    return findDeclaration(source, name) ?? []
  })
}

/** Follows lists of names to where one is declared. */
function findDeclaration(path: string, name: string): string | undefined {
  const source = read(path)
  for (const [, list = '', from = ''] of source.matchAll(
    /^export (?:type )?\{([^}]*)\} from '(.+)'$/gm,
  )) {
    const names = list.split(',').map((word) => word.replace(/\btype\b/, '').trim())
    if (names.includes(name)) return findDeclaration(join(dirname(path), from), name)
  }
  for (const [, from = ''] of source.matchAll(/^export \* from '(.+)'$/gm)) {
    const found = findDeclaration(join(dirname(path), from), name)
    if (found !== undefined) return found
  }
  const declared = new RegExp(
    `^export (?:async )?(?:interface|type|class|const|function\\*?) ${name}\\b`,
    'm',
  )
  const at = source.search(declared)
  if (at === -1) return undefined
  const body = source.slice(at)
  return body.slice(0, body.slice(1).search(/\n(?:\/\*\*|export )/) + 1 || undefined)
}
